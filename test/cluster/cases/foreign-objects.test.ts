import { afterAll, beforeAll, expect, test } from 'vitest';
import { get, kubectl } from '../support/command.ts';
import { leftOver } from '../support/left-over.ts';
import { setStage } from '../support/stage.ts';

/* Somebody's namespace, claim and storage class have the names that the lab is to have. */

const NAMESPACE = 'somebodys';
const CLASS = 'somebodys-gp3';
const THEIRS = `
apiVersion: v1
kind: Namespace
metadata: { name: ${NAMESPACE} }
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: ${CLASS} }
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data-kafka-0, namespace: ${NAMESPACE} }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: ${CLASS}
  resources: { requests: { storage: 1Gi } }
`;

const stage = setStage();

const seen = async () => ({
  namespace: await get<object>('namespace', NAMESPACE),
  class: await get<object>('storageclass', CLASS),
  claim: await get<object>('persistentvolumeclaim', 'data-kafka-0', '-n', NAMESPACE),
});

beforeAll(() => kubectl(['apply', '-f', '-'], { input: THEIRS }));
afterAll(() => kubectl(['delete', 'namespace/somebodys', 'storageclass/somebodys-gp3', '--timeout=60s']));

test('they are named, all at once, and stay as they are', { timeout: 300_000 }, async () => {
  const before = await seen();
  const run = stage.start('foreign', {
    lab: { kubernetes: { namespace: { create: NAMESPACE }, storageClass: { name: CLASS, type: 'gp3' } } },
    limitMs: 280_000,
  });
  const { code, stderr } = await run.ended;
  process.stderr.write(stderr);
  expect(code, stderr).toBe(5);
  for (const name of [
    `Namespace ${NAMESPACE}`,
    `StorageClass ${CLASS}`,
    `PersistentVolumeClaim ${NAMESPACE}/data-kafka-0`,
  ])
    expect(stderr).toContain(`(${name})`);
  expect(stderr).toContain('nothing was created');
  expect(await seen()).toEqual(before);
  expect(await leftOver()).toEqual([]);
});
