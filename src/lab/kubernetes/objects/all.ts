import type { Kind, Typed } from '../api/cluster.ts';
import { headlessService, namespace, networkPolicy, storageClass } from './around-pods.ts';
import { clientPod } from './client-pod.ts';
import type { LabDesign } from './lab-design.ts';
import { statefulSet } from './stateful-set.ts';

export type LabObject = {
  [K in Kind]: Typed<K>;
}['Namespace' | 'StorageClass' | 'Service' | 'NetworkPolicy' | 'StatefulSet' | 'Pod'];

/** Every object of a lab, in the order in which they are made. Teardown goes the other way. */
export function labObjects(design: LabDesign): readonly LabObject[] {
  const around = [namespace(design), storageClass(design)];
  return [
    ...around.filter((object) => object !== null),
    networkPolicy(design),
    headlessService(design),
    statefulSet(design),
    ...design.plan.clients.names.map((client) => clientPod(design, client)),
  ];
}
