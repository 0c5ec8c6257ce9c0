import { until } from '../wait.ts';
import type { Cluster } from './api/cluster.ts';
import type { Watch } from './broker-pods.ts';
import { readLabPods } from './lab-pods.ts';
import { clientPod } from './objects/client-pod.ts';
import type { LabDesign } from './objects/lab-design.ts';

const ENDING_LIMIT_MS = 120_000;
const LOOK_MS = 1_000;

/**
 * Makes clients' pods anew that are gone or have ended (deleted, evicted, their node lost): no controller does it. One
 * that is there is left alone; whether it gets ready is for `awaitPods` to see. Their names are in the lab's record.
 */
export async function remakeClients(cluster: Cluster, design: LabDesign, watch: Watch): Promise<void> {
  const { signal } = watch;
  await until(() => look(cluster, design, watch), { everyMs: LOOK_MS, limitMs: ENDING_LIMIT_MS, signal });
}

/** True when each is there; undefined while one that has to go is still there. */
async function look(cluster: Cluster, design: LabDesign, { say, signal }: Watch): Promise<true | undefined> {
  const { names, ids, plan } = design;
  const { namespace } = names;
  const pods = await readLabPods(cluster, namespace, ids.key);
  let going = false;
  for (const client of plan.clients.names) {
    const pod = pods.get(names.clientPod(client));
    if (pod === undefined) {
      say(`making client ${client}`);
      await cluster.createIfAbsent(clientPod(design, client), { signal });
    } else if (pod.ending || pod.ended) {
      going = true;
      const { name, uid } = pod;
      if (!pod.ending) await cluster.delete({ kind: 'Pod', namespace, name, uid }, {}, { signal });
    }
  }
  return going ? undefined : true;
}
