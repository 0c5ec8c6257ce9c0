import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { deviationText } from '../../src/design/deviation.ts';
import { trialId } from '../../src/design/names.ts';
import type { Control } from '../../src/temporal/controls.ts';
import type { ExperimentResult, ExperimentStatus } from '../../src/temporal/status.ts';
import { experiment } from '../../workflows/experiment.ts';
import { failure, fakeHost, type FakeHost, type Faults } from './fake-host.ts';
import { timeSkipping, workerOf } from './time-skipping.ts';

const HOUR = 3_600_000;
const server = timeSkipping();
let runs = 0;

type Ask = (control: Control, request?: object) => Promise<string>;

interface Run {
  readonly host: FakeHost;
  readonly result: ExperimentResult;
  readonly said: string[];
}

/**
 * Time is not skipped while an activity runs, and one keeps the machine through every pause: limits that are to pass
 * are short.
 *
 * Runs an experiment against a fake host; `at` is called in the load of the trial with that id, before it ends, and may
 * ask for controls. What was answered or refused is in `said`.
 */
async function run(
  at: Readonly<Record<string, (ask: Ask, handle: WorkflowHandle<typeof experiment>) => Promise<unknown>>>,
  faults: Faults = {},
  during: (ask: Ask, handle: WorkflowHandle<typeof experiment>) => Promise<unknown> = async () => {},
): Promise<Run> {
  runs += 1;
  const id = `controls-${runs}`;
  const said: string[] = [];
  const handle = server.env.client.workflow.getHandle<typeof experiment>(id);
  const ask: Ask = async (control, request = {}) => {
    const answer = await handle
      .executeUpdate<string, [object]>(control, { args: [request] })
      .catch((error: Error & { cause?: Error }) => `refused: ${error.cause?.message ?? error.message}`);
    said.push(answer);
    return answer;
  };
  const whileLoading: Faults['whileLoading'] = async (trial) => {
    await at[trialId(trial)]?.(ask, handle);
  };
  const host = fakeHost(id, { ...faults, whileLoading });
  const worker = await workerOf(server.env, id, host);
  const result = await worker.runUntil(async () => {
    const started = await server.env.client.workflow.start(experiment, {
      args: [{}],
      workflowId: id,
      taskQueue: id,
    });
    await during(ask, started);
    return started.result();
  });
  return { host, result, said };
}

function trialsOf(host: FakeHost): string[] {
  return host.calls.filter((c) => c.startsWith('runLoads b')).map((c) => c.slice('runLoads '.length));
}

function measured(host: FakeHost): string[] {
  return trialsOf(host).filter((t) => !t.startsWith('b0'));
}

const status = (handle: WorkflowHandle<typeof experiment>) => handle.query<ExperimentStatus>('status');

async function until(handle: WorkflowHandle<typeof experiment>, phase: string): Promise<ExperimentStatus> {
  for (;;) {
    const seen = await status(handle);
    if (seen.phase === phase) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('pause', () => {
  it('takes effect before the next trial, keeps machine and lab, and ends by itself at its limit; all of it is recorded', async () => {
    const { host, result, said } = await run({
      'b1/a/a1': (ask) => ask('pause', { limit: 1_500, reason: 'backup runs' }),
    });
    expect(said[0]).toBe(
      'pauses before the next trial, for 2 s at most; the lab stays up and the machine taken',
    );
    expect(result).toMatchObject({ outcome: 'completed', valid: 10 });
    const from = host.calls.indexOf('releaseTrial b1/a/a1');
    expect(host.calls.slice(from + 1, from + 5)).toEqual([
      'holdLease',
      'tryLease',
      'mendLab',
      'prepareTrial b1/b/a1',
    ]);
    expect(host.deviations).toMatchObject([
      { kind: 'pause', block: 1, position: 2, reason: 'backup runs', endedBy: 'limit' },
    ]);
    expect((host.deviations[0] as { lastedMs: number }).lastedMs).toBeGreaterThanOrEqual(1_500);
    expect(deviationText(host.deviations[0]!)).toMatch(
      /Paused for \d s before trial 2 of block 1 \(backup runs\); it went on by itself/,
    );
  });

  it('shows until when, takes a new limit, refuses no pause but an endless one, and ends with resume', async () => {
    const { host, said } = await run(
      { 'b0.p2/a/a1': (ask) => ask('pause', { limit: 24 * HOUR }) },
      {},
      async (ask, handle) => {
        const paused = await until(handle, 'paused');
        expect(paused.message).toMatch(/^paused until .*Z at the latest: no reason given$/);
        expect(Date.parse(paused.pausedUntil!)).toBeGreaterThan(Date.parse(paused.startedAt) + 23 * HOUR);
        expect(await ask('pause', { limit: 2 * HOUR, reason: 'longer' })).toContain('2.0 h from now');
        expect((await status(handle)).message).toContain('longer');
        expect(await ask('resume')).toBe('goes on');
      },
    );
    expect(said).toHaveLength(3);
    expect(host.deviations).toMatchObject([
      { kind: 'pause', block: 0, pass: 2, position: 2, endedBy: 'resume' },
    ]);
    // Nothing was measured twice or left out.
    expect(measured(host)).toHaveLength(6);
  });

  it('can be taken back before it began; resume without a pause is refused', async () => {
    const { host, said } = await run({
      'b1/a/a1': async (ask) => {
        await ask('resume');
        await ask('pause');
        await ask('resume');
      },
    });
    expect(said[0]).toBe('refused: The experiment is not paused.');
    expect(said[2]).toBe('goes on; the pause had not begun');
    expect(host.deviations).toEqual([]);
    expect(host.calls).not.toContain('holdLease');
  });

  it('is refused beyond 24 h, beyond the deadline and in a wrong form, with what to do', async () => {
    const { said } = await run(
      {
        'b1/a/a1': async (ask) => {
          await ask('pause', { limit: 25 * HOUR });
          await ask('pause', { limit: '30m' });
          await ask('pause', { limitMs: 5, reason: 7 });
          await ask('pause', { limit: 3 * HOUR });
        },
      },
      { deadlineMs: 2 * HOUR },
    );
    expect(said[0]).toMatch(/limit must be a whole number of milliseconds, at most 86400000 \(24 h\)/);
    expect(said[1]).toMatch(/not "30m"/);
    expect(said[2]).toMatch(/does not know "limitMs", only limit, reason; reason must be a text/);
    expect(said[3]).toMatch(/deadline .* is in 120 min: a pause of 3.0 h would end it/);
  });

  it('aborted while paused, the experiment ends at once and tears down', async () => {
    const { host, result } = await run(
      { 'b1/b/a1': (ask) => ask('pause', { limit: 5 * HOUR }) },
      {},
      async (ask, handle) => {
        await until(handle, 'paused');
        await ask('abort', { reason: 'enough' });
      },
    );
    expect(result).toMatchObject({ outcome: 'aborted', message: 'aborted: enough' });
    expect(host.deviations).toMatchObject([{ kind: 'pause', block: 2, position: 1, endedBy: 'abort' }]);
    expect(host.calls).toContain('teardownLab');
    expect(measured(host)).toEqual(['b1/a/a1', 'b1/b/a1']);
  });

  it('goes on after the lease was lost meanwhile: the machine is taken anew, and a note says so', async () => {
    const { host, result } = await run(
      { 'b1/a/a1': (ask) => ask('pause', { limit: HOUR }) },
      { fails: { holdLease: failure('host-gone', 'the lease of this machine was lost') } },
    );
    expect(result).toMatchObject({ outcome: 'completed', valid: 10 });
    expect(host.notes.join()).toContain('The lease of the machine could not be kept');
    expect(host.calls.filter((c) => c === 'tryLease')).toHaveLength(2);
  });
});

describe('skip', () => {
  it('leaves the next trial out, once, and names the hole', async () => {
    const { host, result } = await run({
      'b1/b/a1': async (ask) => {
        await ask('skip', { next: true, reason: 'disk swap' });
      },
    });
    expect(measured(host)).toEqual(['b1/a/a1', 'b1/b/a1', 'b2/a/a1', 'b3/a/a1', 'b3/b/a1']);
    expect(result).toMatchObject({ outcome: 'completed', valid: 9 });
    expect(host.deviations).toMatchObject([
      { kind: 'skip', block: 2, scenario: 'b', attempt: 1, position: 1, reason: 'disk swap' },
    ]);
    expect(deviationText(host.deviations[0]!)).toBe(
      'Skipped by hand: block 2, b (disk swap); it enters no estimate.',
    );
  });

  it('leaves a scenario out from now on; progress and status follow', async () => {
    let seen: ExperimentStatus | undefined;
    const { host } = await run({
      'b1/a/a1': (ask) => ask('skip', { scenario: 'b' }),
      'b2/a/a1': async (_ask, handle) => (seen = await status(handle)),
    });
    expect(measured(host)).toEqual(['b1/a/a1', 'b2/a/a1', 'b3/a/a1']);
    expect(host.deviations.map((d) => [d.kind, d.block])).toEqual([
      ['skip', 1],
      ['skip', 2],
      ['skip', 3],
    ]);
    expect(seen?.asked).toEqual(['skips b from now on']);
    expect(seen?.strip?.cells).toEqual([
      { scenario: 'b', attempt: 1, state: 'skipped' },
      { scenario: 'a', attempt: 1, state: 'running' },
    ]);
    // 4 of block 0, then a skipped one a block.
    expect(seen?.trialsPlanned).toBe(4 + 6 - 2);
  });

  it('is refused in block 0 for the next trial, for an unknown and for the last scenario, and without saying which', async () => {
    const { said } = await run({
      'b0.p1/a/a1': (ask) => ask('skip', { next: true }),
      'b1/a/a1': async (ask) => {
        await ask('skip', { scenario: 'c' });
        await ask('skip', {});
        await ask('skip', { scenario: 'b' });
        await ask('skip', { scenario: 'b' });
        await ask('skip', { scenario: 'a' });
      },
    });
    expect(said[0]).toMatch(/refused: Block 0 has to run every scenario/);
    expect(said[1]).toBe('refused: There is no scenario "c". There are: a | b.');
    expect(said[2]).toMatch(/either a scenario, to be skipped from now on, or next/);
    expect(said[3]).toMatch(/^skips b from now on/);
    expect(said[4]).toBe('refused: b is skipped already.');
    expect(said[5]).toMatch(/only scenario left: finish-early/);
  });
});

describe('finish-early and extend', () => {
  it('ends after the current block, whole, and says how many of how many', async () => {
    const { host, result, said } = await run({
      'b0.p1/a/a1': (ask) => ask('finish-early'),
      'b2/b/a1': (ask) => ask('finish-early', { reason: 'clear enough' }),
      'b2/a/a1': (ask) => ask('extend', { blocks: 1 }),
    });
    expect(said[0]).toMatch(/refused: No block has begun.*abort/);
    expect(said[1]).toBe('ends after block 2 of 3; recorded as a deviation from the plan');
    expect(said[2]).toBe('refused: It ends after block 2: somebody asked for that.');
    expect(measured(host)).toEqual(['b1/a/a1', 'b1/b/a1', 'b2/b/a1', 'b2/a/a1']);
    expect(result).toMatchObject({ outcome: 'completed', valid: 8 });
    expect(host.deviations).toMatchObject([
      { kind: 'finish-early', block: 2, blocksPlanned: 3, reason: 'clear enough' },
    ]);
  });

  it('ends at once when it is paused between two blocks', async () => {
    const { host } = await run(
      { 'b1/b/a1': (ask) => ask('pause', { limit: HOUR }) },
      {},
      async (ask, handle) => {
        await until(handle, 'paused');
        expect(await ask('finish-early')).toMatch(/^ends after block 1 of 3/);
      },
    );
    expect(measured(host)).toEqual(['b1/a/a1', 'b1/b/a1']);
    expect(host.deviations.map((d) => d.kind)).toEqual(['finish-early', 'pause']);
  });

  it('adds blocks in the orders that were drawn with the plan, up to the bound', async () => {
    const { host, result, said } = await run({
      'b1/a/a1': async (ask) => {
        await ask('extend', { blocks: 4 });
        await ask('extend', { blocks: 0 });
        await ask('extend', {});
        await ask('extend', { blocks: 2, reason: 'too wide' });
        await ask('extend', { blocks: 2 });
      },
    });
    expect(said[0]).toMatch(/refused: At most 3 more blocks/);
    expect(said[1]).toMatch(/blocks must be a whole number of blocks from 1/);
    expect(said[2]).toMatch(/blocks is missing/);
    expect(said[3]).toMatch(/^runs 5 blocks instead of 3/);
    expect(said[4]).toMatch(/refused: At most 1 more/);
    expect(measured(host).slice(-4)).toEqual(['b4/b/a1', 'b4/a/a1', 'b5/b/a1', 'b5/a/a1']);
    expect(result).toMatchObject({ valid: 14 });
    expect(host.deviations).toMatchObject([{ kind: 'extend', block: 1, blocksPlanned: 3 }]);
  });

  it('adds no block that the budget of written bytes has no room for', async () => {
    const { said } = await run({ 'b1/a/a1': (ask) => ask('extend', { blocks: 2 }) }, { mostBlocks: 4 });
    expect(said[0]).toMatch(/room for 4 blocks .* 3 are to run/);
  });
});

describe('a steady window that is too short', () => {
  it('is not tried again, is said once a scenario, and ends the experiment after two blocks of nothing else', async () => {
    const tooShort = ['b1/a/a1', 'b1/b/a1', 'b2/a/a1', 'b2/b/a1'];
    const voids = Object.fromEntries(tooShort.map((id) => [id, 'window-too-short' as const]));
    const { host, result } = await run({}, { blocks: 5, voids });
    expect(measured(host)).toEqual(['b1/a/a1', 'b1/b/a1', 'b2/b/a1', 'b2/a/a1']);
    expect(result).toMatchObject({ outcome: 'completed', voided: 4 });
    expect(host.notes.filter((n) => n.startsWith('a: the steady window was too short'))).toHaveLength(1);
    expect(host.notes.join()).toMatch(/longer `for` or more records/);
    expect(host.notes.join()).toMatch(/Every trial of 2 blocks in a row was void/);
  });

  it('goes on when some trial of the second block has its window', async () => {
    const voids = {
      'b1/a/a1': 'window-too-short',
      'b1/b/a1': 'window-too-short',
      'b2/a/a1': 'window-too-short',
    } as const;
    const { host } = await run({}, { blocks: 3, voids });
    expect(measured(host)).toHaveLength(6);
  });
});

describe('the time that is left', () => {
  it('comes from how long the trials took, scenario by scenario, and is known in block 0 from its second pass on', async () => {
    const etas: Record<string, number | undefined> = {};
    const look = (id: string) => async (_ask: Ask, handle: WorkflowHandle<typeof experiment>) =>
      void (etas[id] = (await status(handle)).etaMs);
    await run({
      'b0.p1/b/a1': look('pilot'),
      'b0.p2/b/a1': look('warm'),
      'b1/b/a1': look('first'),
      'b3/b/a1': look('last'),
    });
    expect(etas['pilot']).toBeUndefined();
    expect(etas['warm']).toBeGreaterThan(0);
    expect(etas['last']!).toBeLessThan(etas['first']!);
  });
});
