import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTrials } from '../../src/store/experiment-files.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { readSpec } from '../../src/spec/read-yaml.ts';
import {
  PHASES,
  PHASE_ACTIVITIES,
  attemptsByActivity,
  pending,
  runningTrial,
  type Phase,
} from './support/phases.ts';
import { eventually, patiently, running, type Running } from './support/running.ts';

const QUICK = new URL('../e2e/quick.yaml', import.meta.url).pathname;
const ID = 'survivor';

let assay: Running;

beforeAll(async () => {
  assay = await running();
});
afterAll(async () => {
  await assay?.close();
});

function spec(): unknown {
  const read = readSpec(readFileSync(QUICK, 'utf8'), QUICK);
  if (!read.ok) throw new Error('quick.yaml is not valid');
  return read.json;
}

/** Kills a service and waits until the supervisor has put another in its place. */
async function killService(service: 'worker' | 'server'): Promise<void> {
  const pid = await eventually(`a ${service} lives`, async () => assay.pid(service));
  process.kill(pid, 'SIGKILL');
  await eventually(`another ${service}`, async () => {
    const now = assay.pid(service);
    return now !== null && now !== pid;
  });
}

/** Waits for a phase that is wanted, in whatever trial runs; null when the experiment has ended. */
async function nextPhase(wanted: ReadonlySet<Phase>): Promise<{ phase: Phase; workflowId: string } | null> {
  for (;;) {
    const client = await assay.client();
    const { status } = await patiently(() => client.workflow.getHandle(ID).describe());
    if (status.name !== 'RUNNING') return null;
    const trial = await patiently(() => runningTrial(client, ID));
    if (trial !== null) {
      const now = await patiently(() => pending(client, trial));
      const phase = PHASES.find((p) => now.some((a) => a.started && a.activity === PHASE_ACTIVITIES[p]));
      if (phase !== undefined && wanted.has(phase)) return { phase, workflowId: trial };
    }
    await delay(5);
  }
}

/** Whether the kill hit its phase: the activity is tried again. False: it had just ended. */
async function wasHit(phase: Phase, workflowId: string): Promise<boolean> {
  return eventually('the activity is tried again or has ended', async () => {
    const now = await patiently(async () => pending(await assay.client(), workflowId));
    const same = now.find((a) => a.activity === PHASE_ACTIVITIES[phase]);
    if (same === undefined) return 'ended';
    return same.attempt > 1 ? 'hit' : null;
  }).then((answer) => answer === 'hit');
}

describe('an experiment survives', () => {
  it('kill -9 of the worker ten times, in every phase, of the server twice, of the supervisor once', {
    timeout: 900_000,
  }, async () => {
    const client = await assay.client();
    await client.workflow.start('experiment', { workflowId: ID, taskQueue: 'assay', args: [spec()] });

    const missing = new Set<Phase>(PHASES);
    let kills = 0;
    let servers = 0;
    let supervisors = 0;
    while (kills < 10 || missing.size > 0) {
      const at = await nextPhase(missing.size > 0 ? missing : new Set(PHASES));
      if (at === null) break;
      await killService('worker');
      kills += 1;
      if (await wasHit(at.phase, at.workflowId)) missing.delete(at.phase);
      if (servers < 2 && kills % 4 === 0) {
        await killService('server');
        servers += 1;
      }
      if (supervisors < 1 && kills === 6) {
        process.kill(assay.pid('supervisor')!, 'SIGKILL');
        supervisors += 1;
        expect((await assay.assay('up')).code).toBe(0);
      }
    }
    expect([...missing], 'phases that were never hit').toEqual([]);
    expect({ kills: kills >= 10, servers, supervisors }).toEqual({ kills: true, servers: 2, supervisors: 1 });

    const result = await assay.result(ID);
    expect(result).toMatchObject({ outcome: 'completed', voided: 0, leaks: [] });
    const trials = await loadTrials(createFolderStore(result.resultsFolder!));
    expect(trials.map((t) => [t.id, t.verdict.reasons])).toEqual(trials.map((t) => [t.id, []]));
    expect(trials.map((t) => `${t.block}/${t.pass}/${t.scenario}/${t.attempt}`)).toHaveLength(6);
    // A load that had been started twice would have written its records twice.
    for (const trial of trials)
      expect(trial.offsets).toEqual([
        {
          topic: 'main',
          asked: trial.loads[0]?.asked,
          claimed: trial.loads[0]?.asked,
          inLog: trial.loads[0]?.asked,
        },
      ]);
    expect((await assay.assay('verify', result.resultsFolder!)).code).toBe(0);

    const tried = new Map<string, number>();
    for (const trial of trials) {
      const { block, pass, scenario, attempt } = trial;
      const id = `${ID}/${pass === null ? `b${block}` : `b${block}.p${pass}`}/${scenario}/${attempt}`;
      for (const [name, n] of await attemptsByActivity(await assay.client(), id))
        tried.set(name, Math.max(n, tried.get(name) ?? 0));
    }
    for (const phase of PHASES)
      expect(tried.get(PHASE_ACTIVITIES[phase]), `attempts of ${phase}`).toBeGreaterThan(1);
  });
});
