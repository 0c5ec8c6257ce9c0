import type { Typed } from '../api/cluster.ts';
import { annotations, labels, type LabDesign, roleLabels } from './lab-design.ts';
import { CLIENT_CONTAINER } from './names.ts';
import { awayFromOwn, containerResources, disruption, podBase, SCRATCH_MOUNT } from './pods.ts';

const GRACE_S = 2;
/**
 * Process 1 of the container takes over what a capsule leaves behind. Bash reaps it; `sleep` would collect zombies, a dozen a
 * minute, until the pod's limit of processes. It hears the signal to end.
 */
const WAIT = 'trap "exit 0" TERM; while :; do sleep 86400 & wait "$!"; done';

/** The pod of one client host: it does nothing until a capsule is launched in it. */
export function clientPod(design: LabDesign, client: string): Typed<'Pod'> {
  const { names, ids, kubernetes } = design;
  const { clients } = kubernetes;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: names.clientPod(client),
      namespace: names.namespace,
      labels: { ...labels(ids), ...roleLabels(ids, 'client') },
      annotations: { ...annotations(ids), ...disruption(design) },
    },
    spec: {
      ...podBase(design, clients),
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: GRACE_S,
      ...(clients.apart === 'node' ? { affinity: awayFromOwn(ids) } : {}),
      containers: [
        {
          name: CLIENT_CONTAINER,
          image: clients.image,
          command: ['bash', '-c', WAIT],
          ...containerResources(clients),
          volumeMounts: [{ ...SCRATCH_MOUNT }],
        },
      ],
    },
  };
}
