import type { ExperimentRef } from './contract.ts';
import type { Plan } from '../src/design/plan.ts';
import { openExistingLab } from '../src/lab/existing/existing-lab.ts';
import type { Home } from '../src/lab/home.ts';
import type { Lab } from '../src/lab/lab.ts';
import { createLocalLab } from '../src/lab/local/local-lab.ts';
import type { Store } from '../src/store/store.ts';

/** After the planned end of an experiment, what it started lives on for this long at most. */
const EXPIRY_SLACK_MS = 60 * 60_000;

/** The lab of an experiment as this worker reaches it; nothing is started. */
export async function openLab(home: Home, ref: ExperimentRef, plan: Plan, store: Store): Promise<Lab> {
  const expiresAtMs = Date.now() + plan.deadlineMs + (plan.keepMs ?? 0) + EXPIRY_SLACK_MS;
  if (plan.lab.target === 'local') return createLocalLab({ home, key: ref.key, plan: plan.lab, expiresAtMs });
  if (plan.lab.target === 'existing') {
    const copies = plan.scenarios.flatMap(({ topics }) => topics.map(({ replication }) => replication));
    const replication = Math.max(1, ...copies);
    return openExistingLab({ home, key: ref.key, plan: plan.lab, replication, expiresAtMs });
  }
  return openPods(ref, plan, store, expiresAtMs);
}

/** What talks to a cluster is loaded only for a lab that is in one. */
async function openPods(
  { key, workflowId }: ExperimentRef,
  { lab, estimates }: Plan,
  store: Store,
  expiresAtMs: number,
): Promise<Lab> {
  const [{ openCluster }, { createLabMaker }, { openKubernetesLab }, { storeKeeper }] = await Promise.all([
    import('../src/lab/kubernetes/api/client-cluster.ts'),
    import('../src/lab/kubernetes/lab-maker.ts'),
    import('../src/lab/kubernetes/kubernetes-lab.ts'),
    import('../src/lab/kubernetes/record.ts'),
  ]);
  const context = lab.kubernetes?.context ?? null;
  const cluster = openCluster(context === null ? {} : { context });
  const ids = { key, workflowId, owner: null, expiresAtMs };
  const keeper = storeKeeper(store);
  const plannedMs = estimates.durationMs.high;
  const maker = createLabMaker({ cluster, plan: lab, ids, keeper, plannedMs });
  return openKubernetesLab({ cluster, key, plan: lab, maker });
}
