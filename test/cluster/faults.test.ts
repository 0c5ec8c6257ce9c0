import { describe, expect, test } from 'vitest';
import type { RecentTrial } from '../../src/temporal/status.ts';
import { killApiServer, startApiServer } from './support/api-server.ts';
import { kubectl } from './support/command.ts';
import { expectComplete, measuredTrials } from './support/complete.ts';
import { leftOver } from './support/left-over.ts';
import { dropTo } from './support/network.ts';
import type { LoadedTrial, RunningExperiment } from './support/running-experiment.ts';
import { resultOf, setStage } from './support/stage.ts';

/* Five faults meet one experiment, each while the records of another trial flow. */

const BLOCKS = 3;

const stage = setStage();
let run: RunningExperiment;
/** Attempts that have to be void, with what was lost. */
const lost = new Map<string, string>();

const VALID: Partial<RecentTrial> = { valid: true, reasons: [] };

/** Deletes a pod of the lab as anybody could. */
const deletePod = ({ namespace }: LoadedTrial, pod: string) =>
  kubectl(['-n', namespace, 'delete', 'pod', pod, '--wait=false']);

describe('an experiment', { timeout: 420_000 }, () => {
  test('measures on while the API server is killed and comes back', async () => {
    // Without a region nobody waits for CloudWatch.
    const lab = { kubernetes: { region: undefined } };
    run = stage.start('faults', { lab, sets: ['producers.p.for=12s'], limitMs: 1_200_000 });
    const trial = await run.midLoad();
    killApiServer();
    await startApiServer();
    expect(await run.verdictOf(trial)).toMatchObject(VALID);
  });

  test('measures on while its worker is killed', async () => {
    const trial = await run.midLoad();
    await stage.own.killWorker();
    await run.triedAgain(trial);
    expect(await run.verdictOf(trial)).toMatchObject(VALID);
  });

  test('measures on while all packets to the API server are dropped', async () => {
    const trial = await run.midLoad();
    const cut = await dropTo('api');
    try {
      await run.triedAgain(trial);
    } finally {
      await cut.restore();
    }
    expect(await run.verdictOf(trial)).toMatchObject(VALID);
  });

  test('voids a trial in which the pod of a broker was deleted', async () => {
    const trial = await run.midLoad();
    await deletePod(trial, 'kafka-1');
    const verdict = await run.verdictOf(trial);
    expect(verdict).toMatchObject({ valid: false, why: expect.stringContaining('broker b2') });
    lost.set(trial.id, 'broker b2');
  });

  test('voids a trial in which the pod of its client was deleted', async () => {
    const trial = await run.midLoad();
    await deletePod(trial, 'client-c1');
    expect(await run.verdictOf(trial)).toMatchObject({ valid: false });
    lost.set(trial.id, 'client');
  });

  test('ends complete: the voids are kept with their reasons, and tried anew', {
    timeout: 900_000,
  }, async () => {
    const ended = await run.ended;
    process.stderr.write(ended.stderr);
    // Three blocks decide nothing.
    expect([0, 4], ended.stderr).toContain(ended.code);
    const { result, store } = resultOf(ended);
    expect(result).toMatchObject({ outcome: 'completed', leaks: [], voided: lost.size });

    const trials = await measuredTrials(store);
    expectComplete(trials, BLOCKS);
    const voids = trials.filter(({ verdict }) => !verdict.valid);
    expect(voids.map(({ id }) => id).toSorted()).toEqual([...lost.keys()].toSorted());
    for (const { id, verdict } of voids) {
      const codes = verdict.reasons.map(({ code }) => code);
      process.stderr.write(`${id}: ${JSON.stringify(verdict.reasons)}\n`);
      expect(['host-gone', 'host-replaced']).toContain(codes[0]);
      expect(codes).not.toContain('bug');
      expect(verdict.reasons[0]?.message).toContain(lost.get(id));
    }
    const verified = await stage.own.assay(['verify', result.resultsFolder!], 120_000);
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    expect(await leftOver()).toEqual([]);
  });
});
