import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bench } from '../../activities/bench.ts';
import { collectActivities } from '../../activities/collect.ts';
import type { TrialEvidence } from '../../activities/contract.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import { labActivities } from '../../activities/lab.ts';
import { loadActivities } from '../../activities/load.ts';
import { releaseActivities } from '../../activities/release.ts';
import { drawPlan } from '../../src/design/draw-plan.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { capsule, finished, temporaryHost } from '../lab/capsule/support.ts';
import { smallSpec } from '../spec/small-spec.ts';
import { benchOf, brokenHost, goneError, REF, TRIAL } from './bench-support.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-gone-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const depsOf = (bench: Bench): ActivityDeps =>
  ({
    home: { root: folder },
    benches: { open: async () => Promise.resolve(bench), close: async () => Promise.resolve() },
  }) as unknown as ActivityDeps;
const inActivity = async <T>(run: () => Promise<T>): Promise<T> => new MockActivityEnvironment().run(run);

describe('with a client that is gone', () => {
  it('what ran there has ended', async () => {
    const bench = benchOf({ client: () => brokenHost(goneError) });
    await inActivity(async () => loadActivities(depsOf(bench)).stopTrial(TRIAL));
  });

  it('nothing is deleted by a release but what can be: the repair deletes the topics', async () => {
    const { host } = temporaryHost();
    const broker = 'exp-1a2b/b1/s/a1/sampler-1';
    await host.launch(await capsule(host, broker, 'true'));
    await finished(host, broker);
    const other = 'exp-1a2b/b2/s/a1/sampler-1';
    await host.launch(await capsule(host, other, 'true'));
    const deleted: string[] = [];
    const gone = brokenHost(goneError);
    const bench = benchOf({
      client: () => gone,
      lost: async () => Promise.resolve(['client c1']),
      samplerHosts: () => [
        { who: 'broker b1', host },
        { who: 'client c1', host: gone },
      ],
      admin: { deleteTopic: async (name: string) => Promise.resolve(void deleted.push(name)) } as never,
    });
    await inActivity(async () => releaseActivities(depsOf(bench)).releaseTrial(TRIAL));
    // The sampler in the broker's pod goes with its attempt; that of another attempt stays.
    expect(await host.list('exp-1a2b')).toEqual([other]);
    expect(deleted).toEqual([]);
  });

  it.each([
    ['gone', 'host-gone'],
    ['another one', 'host-replaced'],
  ])('the attempt is collected, and void (%s: %s)', async (state, code) => {
    const drawn = drawPlan(smallSpec(), { experimentKey: REF.key });
    if (!drawn.ok) throw new Error('no plan');
    const { plan } = drawn;
    const [scenario] = plan.scenarios;
    const store = createFolderStore(join(folder, 'results'));
    await store.put(
      'environment.json',
      Buffer.from('{"format":1,"bootstrapServers":"b:1","pinning":{"clients":null}}'),
    );
    const host = state === 'gone' ? brokenHost(goneError) : temporaryHost().host;
    const bench = benchOf(
      { client: () => host, samplerHosts: () => [{ who: 'client c1', host }] },
      { plan, store },
    );
    const loads = Object.fromEntries(
      (scenario?.loads ?? []).map(({ name }) => [name, { state: 'exited', exitCode: 0 } as const]),
    );
    const evidence: TrialEvidence = {
      startedAtMs: 1,
      endedAtMs: 2,
      phasesMs: {},
      failure: null,
      prepared: null,
      settled: null,
      loaded: { loads, endedAtMs: 2 },
      drained: null,
      verified: null,
    };
    const trial = { ...TRIAL, scenario: scenario?.slug ?? '' };
    const brief = await inActivity(async () =>
      collectActivities(depsOf(bench)).collectTrial({ trial, evidence }),
    );
    expect(brief).toMatchObject({ valid: false, newAttempt: true });
    expect(brief.reasons.map((reason) => reason.code)).toContain(code);
  });

  it('the lab is repaired, and topics of attempts go', async () => {
    const deleted: string[] = [];
    let repaired = 0;
    const bench = benchOf({
      lost: async () => Promise.resolve(['client c1']),
      repair: async () => Promise.resolve({ brokers: [], identity: String((repaired += 1)) }),
      admin: {
        topics: async () => Promise.resolve(['assay.exp-1a2b.b1.x']),
        deleteTopic: async (name: string) => Promise.resolve(void deleted.push(name)),
      } as never,
    });
    const answer = await inActivity(async () => labActivities(depsOf(bench)).mendLab({ ...REF }));
    expect(answer).toEqual({ repaired: true, message: 'Repaired the lab: brought back client c1.' });
    expect([repaired, deleted]).toEqual([1, ['assay.exp-1a2b.b1.x']]);
  });
});

it('a lab without losses is left alone', async () => {
  const answer = await inActivity(async () => labActivities(depsOf(benchOf({}))).mendLab({ ...REF }));
  expect(answer.repaired).toBe(false);
});
