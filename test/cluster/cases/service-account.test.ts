import type { V1PersistentVolumeClaim, V1StatefulSet } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deployedRoles, rulesOf } from '../../../scripts/roles.ts';
import type { JanitorReport } from '../../../src/janitor/leftover.ts';
import { openCluster } from '../../../src/lab/kubernetes/api/client-cluster.ts';
import { type Cluster, EXPERIMENT_LABEL, isClusterError } from '../../../src/lab/kubernetes/api/cluster.ts';
import { until } from '../../../src/lab/wait.ts';
import { type Audited, auditedSince, auditPosition, rightsUsed } from '../support/audit.ts';
import { get, kubectl } from '../support/command.ts';
import { leftOver } from '../support/left-over.ts';
import type { RunningExperiment } from '../support/running-experiment.ts';
import { kubeconfigOf } from '../support/service-account.ts';
import type { LabChanges } from '../support/spec-file.ts';
import { resultOf, setStage } from '../support/stage.ts';

/*
 * The roles of deploy/ as they are: experiments run by the worker's ServiceAccount, what one leaves is removed by the janitor's,
 * and the API server's audit log says what of the roles was used and whether anything was missing.
 */

const DEPLOY = new URL('../../../deploy/kubernetes/', import.meta.url).pathname;
const OURS = ['-l', 'app.kubernetes.io/managed-by=assay'];
const ACCOUNTS = [
  'base/namespace.yaml',
  'base/service-account.yaml',
  'base/storage-class.yaml',
  'janitor/service-account.yaml',
].flatMap((file) => ['-f', `${DEPLOY}${file}`]);
/** Everybody may ask what they may do: no role of ours grants it. */
const MAY_I = 'create authorization.k8s.io/selfsubjectaccessreviews';
const MINUTE = 60_000;

interface Mode {
  readonly name: 'given' | 'created';
  /** Below deploy/kubernetes. */
  readonly folders: readonly string[];
  readonly lab: LabChanges;
  /** Options of the janitor, as its CronJob has them. */
  readonly cleanup: readonly string[];
  /** What the janitor looks for and is not allowed to see: it says so. */
  readonly unseen: readonly string[];
}

// Without a region nobody waits for CloudWatch.
const REGION = { region: undefined };
const MODES: readonly Mode[] = [
  {
    name: 'given',
    folders: ['look', 'given-namespace'],
    lab: { kubernetes: { ...REGION, namespace: 'assay-labs', storageClass: 'assay-gp3' } },
    cleanup: ['--namespace', 'assay-labs'],
    unseen: ['list /namespaces', 'list storage.k8s.io/storageclasses'],
  },
  {
    name: 'created',
    folders: ['look', 'created-labs'],
    lab: { kubernetes: REGION },
    cleanup: [],
    unseen: [],
  },
];

let janitor: string;

afterAll(async () => {
  await kubectl(['delete', '--ignore-not-found', '--timeout=120s', ...ACCOUNTS], { limitMs: 150_000 });
});

const stage = setStage(async () => {
  await kubectl(['apply', ...ACCOUNTS]);
  janitor = await kubeconfigOf('assay', 'assay-janitor');
  return kubeconfigOf('assay', 'assay-worker');
});

describe.each(MODES)('in $name namespace and storage class', (mode) => {
  const { name, folders, lab } = mode;
  const applied = folders.flatMap((folder) => ['-k', `${DEPLOY}${folder}`]);
  let position: number;

  beforeAll(async () => {
    for (let i = 0; i < applied.length; i += 2) await kubectl(['apply', ...applied.slice(i, i + 2)]);
    position = auditPosition();
  });

  afterAll(async () => {
    for (let i = 0; i < applied.length; i += 2)
      await kubectl(['delete', '--ignore-not-found', '--timeout=120s', ...applied.slice(i, i + 2)], {
        limitMs: 150_000,
      });
  });

  const start = (id: string) =>
    stage.start(`${name}-${id}`, { sets: ['design.blocks=1'], lab, limitMs: 9 * MINUTE });

  test('an experiment runs to its good end, and nothing is left', { timeout: 10 * MINUTE }, async () => {
    const run = start('whole');
    await orphanClaims(run);
    const ended = await run.ended;
    process.stderr.write(ended.stderr);
    // One block decides nothing; of the valid attempts two are warm-up.
    expect(ended.code, ended.stderr).toBe(4);
    const { result } = resultOf(ended);
    expect(result).toMatchObject({ outcome: 'completed', leaks: [], valid: 4, voided: 0 });
    expect(await leftOver()).toEqual([]);
  });

  test('one that is terminated is removed by the janitor', { timeout: 10 * MINUTE }, async () => {
    const run = start('terminated');
    await orphanClaims(run);
    await run.moment('the lab is up', async () => (await run.status())?.phase === 'warming-up');
    await (await stage.client()).workflow.getHandle(run.id).terminate('a test');
    expect((await run.ended).code).toBe(6);
    const args = ['cleanup', '--json', '--delete', '--ignore-expiry', ...mode.cleanup];
    const { code, stdout, stderr } = await stage.own.assay(args, 5 * MINUTE, { KUBECONFIG: janitor });
    expect(code, stderr + stdout).toBe(0);
    const { found } = JSON.parse(stdout) as JanitorReport;
    expect(found.filter(({ place }) => place === 'cluster')).toMatchObject([
      { workflowId: run.id, removal: { outcome: 'removed' } },
    ]);
    expect(await leftOver()).toEqual([]);
  });

  if (name === 'created')
    test('a namespace that has no room is refused, by its quota', { timeout: 3 * MINUTE }, async () => {
      await kubectl(['create', 'namespace', 'crowded']);
      await kubectl(['-n', 'crowded', 'create', 'quota', 'few', '--hard=pods=1']);
      const changes = { kubernetes: { ...REGION, namespace: 'crowded' } };
      const { code, stderr } = await stage.start('crowded', { lab: changes, limitMs: 2 * MINUTE }).ended;
      expect(code, stderr).toBe(5);
      expect(stderr).toMatch(/does not fit the quota of its namespace \(ResourceQuota crowded\/few\): pods/);
      expect(await leftOver()).toEqual([]);
      await kubectl(['delete', 'namespace', 'crowded', '--timeout=60s']);
    });

  test.each([
    ['assay-worker', [MAY_I], []],
    ['assay-janitor', [], mode.unseen],
  ] as const)('%s used every right that it has, and missed none', (account, more, unseen) => {
    const requests = auditedSince(position, account);
    const used = rightsUsed(requests);
    const granted = rightsOf(account, folders);
    expect([...granted].filter((right) => !used.has(right))).toEqual([]);
    expect([...used].filter((right) => !granted.has(right))).toEqual(more);
    expect(refusedOf(requests)).toEqual(unseen);
  });
});

/** What roles in these folders grant to an account. */
function rightsOf(account: string, folders: readonly string[]): ReadonlySet<string> {
  const roles = deployedRoles().filter(
    (role) => role.account === account && folders.some((folder) => role.file.startsWith(`${folder}/`)),
  );
  return new Set(
    roles
      .flatMap(rulesOf)
      .flatMap(({ apiGroups: [group], resources: [resource], verbs }) =>
        verbs.map((verb) => `${verb} ${group}/${resource}`),
      ),
  );
}

function refusedOf(requests: readonly Audited[]): readonly string[] {
  const refused = requests.filter((request) => request.refused).map(({ right }) => right);
  return [...new Set(refused)].toSorted();
}

/** Takes the claims from their StatefulSet, so that they do not go with it: whoever tears down deletes them. */
async function orphanClaims(run: RunningExperiment): Promise<void> {
  const set = await run.moment('the brokers are ready', async () => {
    const { items } = await get<{ items: V1StatefulSet[] }>('statefulsets', '--all-namespaces', ...OURS);
    return items.find(({ status }) => status?.readyReplicas === 3);
  });
  const where = ['-n', set.metadata?.namespace ?? ''];
  const policy = { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain' } } };
  await kubectl([...where, 'patch', 'statefulset', set.metadata?.name ?? '', '-p', JSON.stringify(policy)]);
  await run.moment('the claims are nobody’s', async () => {
    const { items } = await get<{ items: V1PersistentVolumeClaim[] }>('pvc', ...where, ...OURS);
    return items.length === 3 && items.every(({ metadata }) => metadata?.ownerReferences === undefined);
  });
}

describe('a right that is asked beside that of the verb', () => {
  const NAMESPACE = 'beside';
  const where = ['-n', NAMESPACE];

  beforeAll(async () => {
    await kubectl(['create', 'namespace', NAMESPACE]);
    const made = await until(
      async () =>
        kubectl([...where, 'run', 'target', '--image=apache/kafka:4.3.1', '--', 'sleep', 'infinity']).catch(
          () => undefined,
        ),
      { everyMs: 300, limitMs: 30_000 },
    );
    expect(made).toBeDefined();
    await kubectl([...where, 'wait', '--for=condition=Ready', 'pod/target', '--timeout=60s'], {
      limitMs: 70_000,
    });
  });

  afterAll(async () => {
    await kubectl(['delete', 'namespace', NAMESPACE, '--timeout=120s'], { limitMs: 150_000 });
  });

  /** The cluster as an account sees it that may do this and nothing else. */
  async function allowedTo(verbs: readonly string[], resource: string): Promise<Cluster> {
    const account = `${verbs.join('-')}-${resource.replace('/', '-')}`;
    await kubectl([...where, 'create', 'serviceaccount', account]);
    const what = verbs.map((verb) => `--verb=${verb}`);
    await kubectl([...where, 'create', 'role', account, ...what, `--resource=${resource}`]);
    const whom = [`--role=${account}`, `--serviceaccount=${NAMESPACE}:${account}`];
    await kubectl([...where, 'create', 'rolebinding', account, ...whom]);
    return openAs(await kubeconfigOf(NAMESPACE, account));
  }

  test.each([
    // Let in as a `get`, and refused by what comes after it, which does not say why.
    [['get'], /^(?!.*cannot get).*pods "target" is forbidden/],
    [['create'], /cannot get resource "pods\/exec"/],
    [['get', 'create'], /^ran$/],
  ] as const)('a command by a WebSocket, with %j', async (verbs, outcome) => {
    const cluster = await allowedTo(verbs, 'pods/exec');
    const target = { namespace: NAMESPACE, pod: 'target', container: 'target' };
    const ask = async () => {
      const said = await cluster.exec(target, ['true'], { deadlineMs: 10_000 });
      const text = said.kind === 'exit' ? 'ran' : said.why;
      // Roles take effect a moment after they were made.
      return outcome.test(text) ? text : undefined;
    };
    expect(await until(ask, { everyMs: 200, limitMs: 10_000 })).toMatch(outcome);
  });

  test.each([
    [['get', 'patch'], /cannot create resource "services"/],
    [['get', 'patch', 'create'], /^made$/],
  ] as const)('a server-side apply of what is not there, with %j', async (verbs, outcome) => {
    const cluster = await allowedTo(verbs, 'services');
    const ask = async () => {
      const text = await cluster
        .apply<'Service'>({
          kind: 'Service',
          metadata: { name: 'made', namespace: NAMESPACE, labels: { [EXPERIMENT_LABEL]: 'beside' } },
          spec: { clusterIP: 'None' },
        })
        .then(
          () => 'made',
          (error: unknown) => {
            if (isClusterError(error, 'forbidden')) return error.message;
            throw error;
          },
        );
      return outcome.test(text) ? text : undefined;
    };
    expect(await until(ask, { everyMs: 200, limitMs: 10_000 })).toMatch(outcome);
  });
});

/** By this kubeconfig, whatever the environment says. */
function openAs(kubeconfig: string): Cluster {
  const before = process.env['KUBECONFIG'];
  process.env['KUBECONFIG'] = kubeconfig;
  try {
    return openCluster();
  } finally {
    process.env['KUBECONFIG'] = before;
  }
}
