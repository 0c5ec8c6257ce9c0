import type { Call, Cluster } from './api/cluster.ts';
import { headlessService, namespace, networkPolicy } from './objects/around-pods.ts';
import type { LabDesign } from './objects/lab-design.ts';

/**
 * Writes a later expiry (`design.ids.expiresAtMs`) on the objects that no pod hangs on: namespace, Service and policy. Of
 * all objects with one experiment's label the latest expiry holds.
 */
export async function renewExpiry(cluster: Cluster, design: LabDesign, call: Call = {}): Promise<void> {
  const own = namespace(design);
  if (own !== null) await cluster.apply<'Namespace'>(own, call);
  await cluster.apply<'Service'>(headlessService(design), call);
  await cluster.apply<'NetworkPolicy'>(networkPolicy(design), call);
}
