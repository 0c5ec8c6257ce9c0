import { InfrastructureError } from '../errors.ts';
import type { Call, Cluster } from './api/cluster.ts';
import type { LabDesign } from './objects/lab-design.ts';
import { type Findings, ifAllowed, NOTHING, together } from './preflight/finding.ts';
import { nodeFindings } from './preflight/nodes.ts';
import { foreignFindings, isOurs, namespaceFindings } from './preflight/owned-names.ts';
import { limitRangeFindings, quotaFindings } from './preflight/quota.ts';
import { rightsFindings } from './preflight/rights.ts';
import { storageFindings } from './preflight/storage.ts';

export type { Findings, Problem } from './preflight/finding.ts';

/**
 * Looks whether the lab can be made, before anything is: rights, namespace, storage, quotas, nodes, and names that are
 * taken. Changes nothing. Everything that is wrong comes back at once.
 * @throws ClusterError when the cluster cannot be asked.
 */
export async function preflight(
  cluster: Cluster,
  design: LabDesign,
  time: { readonly nowMs: number; readonly plannedMs: number },
  call: Call = {},
): Promise<Findings> {
  return together(
    await Promise.all([
      rightsFindings(cluster, design, call),
      namespaceFindings(cluster, design, call),
      storageFindings(cluster, design, call),
      foreignFindings(cluster, design, call),
      limitFindings(cluster, design, call),
      lookAtNodes(cluster, design, time, call),
    ]),
  );
}

/** One message with all that is wrong; null when nothing is. */
export function preflightError({ problems }: Findings): InfrastructureError | null {
  const [first] = problems;
  if (first === undefined) return null;
  const lines = problems.map(({ what, where, why, fix }) => `${what} (${where}): ${why}. ${fix}`);
  if (lines.length === 1) {
    const { code, what, where, why, fix } = first;
    return new InfrastructureError(code, `${what} (${where}): ${why}.`, fix);
  }
  const list = lines.map((line) => `\n- ${line}`).join('');
  return new InfrastructureError(
    'preflight',
    `The lab cannot be made in this cluster, for ${lines.length} reasons; nothing was created:${list}`,
    'Put these right and start again.',
  );
}

/** Quotas and limits of a namespace that is given; one of our own has none. A lab that is there has used its share. */
async function limitFindings(cluster: Cluster, design: LabDesign, call: Call): Promise<Findings> {
  if (design.kubernetes.namespace.mode === 'created') return NOTHING;
  const { namespace, statefulSet } = design.names;
  const there = await ifAllowed(cluster.get({ kind: 'StatefulSet', namespace, name: statefulSet }, call));
  if (there !== null && there.seen !== null && isOurs(there.seen, design)) return NOTHING;
  const [quotas, ranges] = await Promise.all([
    ifAllowed(cluster.list('ResourceQuota', { namespace }, call)),
    ifAllowed(cluster.list('LimitRange', { namespace }, call)),
  ]);
  return together([
    quotaFindings(quotas?.seen ?? [], design),
    limitRangeFindings(ranges?.seen ?? [], design),
  ]);
}

async function lookAtNodes(
  cluster: Cluster,
  design: LabDesign,
  time: { readonly nowMs: number; readonly plannedMs: number },
  call: Call,
): Promise<Findings> {
  const [nodes, pools] = await Promise.all([
    ifAllowed(cluster.list('Node', {}, call)),
    ifAllowed(cluster.list('NodePool', {}, call)),
  ]);
  return nodeFindings({ nodes: nodes?.seen ?? null, pools: pools?.seen ?? null, ...time }, design);
}
