import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { s3Error } from '../../aws/support/answers.ts';
import { s3 } from '../../aws/support/fault-proxy.ts';
import { expectComplete, measuredTrials } from '../support/complete.ts';
import { leftOver } from '../support/left-over.ts';
import type { LoadedTrial, RunningExperiment } from '../support/running-experiment.ts';
import { resultOf, setStage } from '../support/stage.ts';

/* S3 fails while the raw files of a trial go up: once in every way, then for so long that they go elsewhere. */

const stage = setStage();
let run: RunningExperiment;

/** Uploads of one attempt. */
const uploadsOf = ({ id }: LoadedTrial) => {
  const folder = `/trials/${id}/`;
  return s3('PUT', new RegExp(`${folder}|${encodeURIComponent(folder).replaceAll('%2F', '/')}`));
};

describe('an experiment whose bucket fails', { timeout: 600_000 }, () => {
  test('sends again what was refused, throttled, or answered by nobody', async () => {
    run = stage.start('s3-faults', { sets: ['design.blocks=1'], limitMs: 1_300_000 });
    const trial = await run.midLoad();
    const matches = uploadsOf(trial);
    stage.proxy.clear();
    stage.proxy.fail(matches, { kind: 'refuse' });
    stage.proxy.fail(matches, s3Error('SlowDown', 503), 2);
    stage.proxy.fail(matches, { kind: 'reset', afterBytes: 0 });
    stage.proxy.fail(matches, s3Error('InternalError', 500));
    expect(await run.verdictOf(trial)).toMatchObject({ valid: true, reasons: [] });
    const sent = stage.proxy.requests.filter(matches).map(({ path }) => path);
    expect(sent.length - new Set(sent).size, 'uploads that were sent again').toBeGreaterThanOrEqual(5);
  });

  test('keeps in a second place what the bucket does not take, and brings it home', async () => {
    const trial = await run.midLoad();
    const matches = uploadsOf(trial);
    stage.proxy.fail(matches, s3Error('SlowDown', 503), Number.POSITIVE_INFINITY);
    const rescue = join(stage.own.home.root, 'rescue', trial.key, 'trials', trial.id);
    await run.moment('a raw file is in the second place', async () =>
      existsSync(rescue) ? readdirSync(rescue).length > 0 : false,
    );
    stage.proxy.clear();
    expect(await run.verdictOf(trial)).toMatchObject({ valid: true, reasons: [] });
    const ended = await run.ended;
    expect(ended.code, ended.stderr).toBe(4);
    const { result, store } = resultOf(ended);
    expect(result).toMatchObject({ outcome: 'completed', leaks: [], voided: 0 });
    expect(result.resultsFolder).toBe(`s3://assay-results/experiments/${trial.key}`);
    expectComplete(await measuredTrials(store), 1);
    const verified = await stage.own.assay(['verify', result.resultsFolder!], 120_000);
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    expect(await leftOver()).toEqual([]);
  });
});
