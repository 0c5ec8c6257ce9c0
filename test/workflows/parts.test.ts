import { describe, expect, it } from 'vitest';
import type { WorkflowHandle } from '@temporalio/client';
import type { ExperimentResult, ExperimentStatus } from '../../src/temporal/status.ts';
import { trialId } from '../../src/design/names.ts';
import { experiment } from '../../workflows/experiment.ts';
import { fakeHost, type FakeHost, type Faults } from './fake-host.ts';
import { timeSkipping, workerOf } from './time-skipping.ts';

/*
 * Parts of the story that only some experiments have: broker settings as a factor, several labs, a search, credits that
 * are used up, a stopping rule, a lab that is kept.
 */

const server = timeSkipping();
let runs = 0;

async function run(
  faults: Faults,
  during: (handle: WorkflowHandle<typeof experiment>) => Promise<void> = async () => {},
): Promise<{ host: FakeHost; result: ExperimentResult }> {
  runs += 1;
  const id = `parts-${runs}`;
  const host = fakeHost(id, faults);
  const worker = await workerOf(server.env, id, host);
  const result = await worker.runUntil(async () => {
    const handle = await server.env.client.workflow.start(experiment, {
      args: [{}],
      workflowId: id,
      taskQueue: id,
    });
    await during(handle);
    return handle.result();
  });
  return { host, result };
}

/** What was run and applied, in order. */
function story(host: FakeHost): readonly string[] {
  return host.calls
    .filter((call) => /^(runLoads|applyPlot|renewLab) /.test(call))
    .map((call) => call.replace('runLoads ', '').replace('applyPlot ', '→ ').replace('renewLab ', 'lab '));
}

describe('broker settings as a factor', () => {
  const extras = { plots: { a: 'plot-1', b: 'plot-2' } };

  it('are applied anew in every block, also when the block before ended with them, and warmed before a trial counts', async () => {
    const { host, result } = await run({ extras, blocks: 2 });
    expect(result.outcome).toBe('completed');
    expect(story(host)).toEqual([
      '→ plot-1',
      'b0.p1/a/a1',
      '→ plot-2',
      'b0.p1/b/a1',
      '→ plot-1',
      'b0.p301/a/a1',
      'b0.p2/a/a1',
      '→ plot-2',
      'b0.p302/b/a1',
      'b0.p2/b/a1',
      '→ plot-1',
      'b0.p303/a/a1',
      'b1/a/a1',
      '→ plot-2',
      'b0.p304/b/a1',
      'b1/b/a1',
      '→ plot-2',
      'b0.p305/b/a1',
      'b2/b/a1',
      '→ plot-1',
      'b0.p306/a/a1',
      'b2/a/a1',
    ]);
  });

  it('come back for a new attempt at the end of the block', async () => {
    const { host } = await run({ extras, blocks: 1, voids: { 'b1/a/a1': 'isr-shrunk' } });
    expect(story(host).slice(-6)).toEqual([
      '→ plot-2',
      'b0.p304/b/a1',
      'b1/b/a1',
      '→ plot-1',
      'b0.p305/a/a1',
      'b1/a/a2',
    ]);
  });
});

describe('several labs', () => {
  it('share the blocks; a later one is warmed as block 0 was, and its trials say which it is', async () => {
    const { host } = await run({ extras: { labs: 2 }, blocks: 4, frozen: { passes: 2 } });
    const told = story(host);
    const from = told.indexOf('lab 2');
    expect(told.slice(from - 1, from + 7)).toEqual([
      'b2/a/a1',
      'lab 2',
      'b0.p501/a/a1',
      'b0.p501/b/a1',
      'b0.p502/a/a1',
      'b0.p502/b/a1',
      'b3/a/a1',
      'b3/b/a1',
    ]);
    expect(told.filter((line) => line.startsWith('lab'))).toEqual(['lab 2']);
    const labs = host.trials.filter((t) => t.block > 0).map((t) => t.lab ?? 1);
    expect(labs).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
  });

  it('are warmed by one trial in a rehearsal', async () => {
    const { host } = await run({ extras: { labs: 2, smoke: true }, blocks: 2 });
    const told = story(host);
    expect(told.slice(told.indexOf('lab 2'))).toEqual(['lab 2', 'b0.p501/a/a1', 'b2/b/a1', 'b2/a/a1']);
  });
});

describe('a search', () => {
  it('runs the rates it is told between block 0 and the freeze, and the grid at the rates that were frozen', async () => {
    const rates = { a: { p: 90 }, b: { p: 110 } };
    const { host } = await run({
      extras: { searches: true },
      blocks: 1,
      searched: [100, 50, 75],
      frozen: { rates },
    });
    const told = story(host);
    expect(told.slice(4)).toEqual(['b0.p401/a/a1', 'b0.p402/a/a1', 'b0.p403/a/a1', 'b1/a/a1', 'b1/b/a1']);
    const asked = host.trials.map((t) => [trialId(t), t.rates?.['p'] ?? null]);
    expect(Object.fromEntries(asked)).toMatchObject({
      'b0.p2/a/a1': null,
      'b0.p401/a/a1': 100,
      'b0.p403/a/a1': 75,
      'b1/a/a1': 90,
      'b1/b/a1': 110,
    });
    expect(host.calls.indexOf('freezeExperiment')).toBeGreaterThan(host.calls.lastIndexOf('planSearch'));
  });
});

describe('a series that ended in block 0', () => {
  it('is not measured beyond its end, and that is noted', async () => {
    const { host } = await run({ blocks: 2, frozen: { leftOut: { b: 'a did not reach its rate' } } });
    expect(story(host).filter((t) => t.includes('/b/'))).toEqual(['b0.p1/b/a1', 'b0.p2/b/a1']);
    expect(host.notes).toContain('b is not measured: a did not reach its rate');
  });
});

describe('burst credits', () => {
  it('are used up by one scenario before block 1', async () => {
    const { host } = await run({ extras: { depletes: 'a' }, blocks: 1, depletedAfter: 2 });
    expect(story(host).slice(4)).toEqual(['b0.p201/a/a1', 'b0.p202/a/a1', 'b1/a/a1', 'b1/b/a1']);
    expect(host.notes).toContain('credits are used up');
  });
});

describe('the stopping rule', () => {
  it('is asked only after enough blocks, and ends the experiment when every interval is narrow enough', async () => {
    const { host, result } = await run({ extras: { stopFrom: 8 }, blocks: 12, enoughAt: 9 });
    expect(host.calls.filter((c) => c.startsWith('assessBlocks'))).toEqual([
      'assessBlocks 8',
      'assessBlocks 9',
    ]);
    expect(result.valid).toBe(4 + 18);
    expect(host.notes).toContain('narrow enough');
  });
});

describe('a lab that is kept', () => {
  it('stays, with the machine, until its time is over', async () => {
    const { host, result } = await run({ extras: { keepMs: 2_000 }, blocks: 1 });
    expect(result.outcome).toBe('completed');
    const last = host.calls.slice(host.calls.indexOf('exportResults completed'));
    expect(last.slice(0, 3)).toEqual(['exportResults completed', 'holdLease', 'teardownLab']);
  });

  it('goes at once when somebody aborts; the results stay complete', async () => {
    const { host, result } = await run({ extras: { keepMs: 3_600_000 }, blocks: 1 }, async (handle) => {
      for (;;) {
        const { phase } = await handle.query<ExperimentStatus>('status');
        if (phase === 'keeping') break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const said = await handle.executeUpdate<string, [object]>('abort', {
        args: [{ reason: 'seen enough' }],
      });
      expect(said).toBe('the lab is torn down; the results stay as they are');
    });
    expect(result.outcome).toBe('completed');
    expect(host.calls.at(-1)).toBe('releaseLease');
  });
});

describe('expectations of the spec', () => {
  it('are told by the result; without any it says nothing of them', async () => {
    const expectations = { passed: 1, failed: 1, inconclusive: 0 };
    const { result } = await run({ blocks: 1, expectations });
    expect(result).toMatchObject({ outcome: 'completed', decided: true, expectations });
    expect((await run({ blocks: 1 })).result).not.toHaveProperty('expectations');
  });
});
