import { expect, test } from 'vitest';
import { expectComplete, measuredTrials } from '../support/complete.ts';
import { leftOver } from '../support/left-over.ts';
import { dropFor } from '../support/network.ts';
import { resultOf, setStage } from '../support/stage.ts';

/* Nobody is told that the API server is out of reach, for longer than the load lasts. */

const OUTAGE_MS = 180_000;

const stage = setStage();

test('a trial stays valid through three minutes without the API server', { timeout: 1_200_000 }, async () => {
  const run = stage.start('long-outage', { sets: ['design.blocks=1'], limitMs: 1_100_000 });
  const trial = await run.midLoad();
  await dropFor('api', OUTAGE_MS);
  expect(await run.verdictOf(trial)).toMatchObject({ valid: true, reasons: [] });
  const ended = await run.ended;
  expect(ended.code, ended.stderr).toBe(4);
  const { result, store } = resultOf(ended);
  expect(result).toMatchObject({ outcome: 'completed', leaks: [], voided: 0 });
  expectComplete(await measuredTrials(store), 1);
  expect(await leftOver()).toEqual([]);
});
