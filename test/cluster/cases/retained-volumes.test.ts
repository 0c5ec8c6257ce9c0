import { expect, test } from 'vitest';
import { until } from '../../../src/lab/wait.ts';
import { kubectl } from '../support/command.ts';
import { expectComplete, measuredTrials } from '../support/complete.ts';
import { leftOver } from '../support/left-over.ts';
import { resultOf, setStage } from '../support/stage.ts';
import { heldVolumes } from '../support/volumes.ts';

/* Reclaim policy Retain: disks stay and are billed, and each is named. */

const stage = setStage();

test('volumes that are retained are leaks, named by the ids by which they are billed', {
  timeout: 1_200_000,
}, async () => {
  const run = stage.start('retained', {
    sets: ['design.blocks=1'],
    lab: { kubernetes: { storageClass: { reclaim: 'retain' } } },
    limitMs: 1_150_000,
  });
  const ended = await run.ended;
  expect(ended.code, ended.stderr).toBe(5);
  const { result, store } = resultOf(ended);
  expect(result.outcome).toBe('completed-with-leaks');
  const held = heldVolumes().map(({ ID }) => ID);
  expect(held).toHaveLength(3);
  for (const id of held) {
    expect(result.leaks).toContainEqual(expect.stringMatching(`\\(volume ${id}\\): reclaim policy Retain`));
    expect(result.leaks).toContainEqual(
      expect.stringMatching(`EBS volume ${id} .* still available in EC2, and billed`),
    );
    expect(ended.stderr).toContain(id);
  }
  expectComplete(await measuredTrials(store), 1);

  // What the user has to do: give the volumes back, and the class is free.
  const retained = (await kubectl(['get', 'pv', '-o', 'name'])).split('\n').filter((name) => name !== '');
  const patch = '{"spec":{"persistentVolumeReclaimPolicy":"Delete"}}';
  for (const name of retained) await kubectl(['patch', name, '-p', patch]);
  const gone = async () => (heldVolumes().length === 0 ? true : undefined);
  expect(await until(gone, { everyMs: 200, limitMs: 60_000 })).toBe(true);
  const cleaned = await stage.own.assay(['cleanup', '--delete', '--ignore-expiry'], 120_000);
  expect(cleaned.code, cleaned.stdout + cleaned.stderr).toBe(0);
  expect(await leftOver()).toEqual([]);
});
