import { expect, test } from 'vitest';
import { until } from '../../../src/lab/wait.ts';
import { kubectl, run as command } from '../support/command.ts';
import { leftOver } from '../support/left-over.ts';
import { resultOf, setStage } from '../support/stage.ts';
import { clusterRun } from '../support/run.ts';

/* Somebody's finalizer holds a claim: it is never stripped, and what it holds is named. */

const FINALIZER = 'example.com/backup';
const CLAIM = 'data-kafka-1';

const stage = setStage();

test('a claim that a finalizer holds is a leak, with what it waits for, and goes when that lets go', {
  timeout: 1_500_000,
}, async () => {
  const run = stage.start('held-claim', { sets: ['design.blocks=1'], limitMs: 1_400_000 });
  const { namespace } = await run.midLoad();
  const finalizers = (patch: object) =>
    kubectl(['-n', namespace, 'patch', 'pvc', CLAIM, '--type=json', '-p', JSON.stringify([patch])]);
  await finalizers({ op: 'add', path: '/metadata/finalizers/-', value: FINALIZER });

  const ended = await run.ended;
  process.stderr.write(ended.stderr);
  expect(ended.code, ended.stderr).toBe(5);
  const { result } = resultOf(ended);
  expect(result.outcome).toBe('completed-with-leaks');
  expect(result.leaks).toContainEqual(
    expect.stringMatching(`^PersistentVolumeClaim ${namespace}/${CLAIM}: .* waits for .*${FINALIZER}`),
  );
  expect(result.leaks).toContainEqual(expect.stringMatching(`^Namespace ${namespace}: `));
  // Of three claims one is held: the others are gone, with their disks.
  expect(result.leaks.filter((leak) => leak.startsWith('PersistentVolumeClaim '))).toHaveLength(1);
  expect(result.leaks.filter((leak) => leak.startsWith('EBS volume '))).toHaveLength(1);

  await finalizers({ op: 'replace', path: '/metadata/finalizers', value: [] });
  const asked = [
    '--kubeconfig',
    clusterRun().kubeconfig,
    'get',
    'namespace',
    namespace,
    '--ignore-not-found',
    '-o',
    'name',
  ];
  const gone = async () => ((await command('kubectl', asked)).stdout === '' ? true : undefined);
  expect(await until(gone, { everyMs: 500, limitMs: 120_000 })).toBe(true);
  const cleaned = await stage.own.assay(['cleanup', '--delete', '--ignore-expiry'], 300_000);
  expect(cleaned.code, cleaned.stdout + cleaned.stderr).toBe(0);
  expect(await leftOver()).toEqual([]);
});
