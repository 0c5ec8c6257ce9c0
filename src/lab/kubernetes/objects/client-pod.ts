import type { Typed } from '../api/cluster.ts';
import { annotations, labels, type LabDesign, roleLabels } from './lab-design.ts';
import { CLIENT_CONTAINER } from './names.ts';
import { awayFromOwn, containerResources, disruption, podBase, SCRATCH_MOUNT } from './pods.ts';

/** `sleep` as process 1 does not hear the signal to end. */
const GRACE_S = 2;

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
          command: ['sleep', 'infinity'],
          ...containerResources(clients),
          volumeMounts: [{ ...SCRATCH_MOUNT }],
        },
      ],
    },
  };
}
