import type { Call, Cluster } from '../api/cluster.ts';
import type { LabDesign } from '../objects/lab-design.ts';
import { accessesOf, type Permission, permissionsOf } from '../permissions.ts';
import { type Findings, note, problem, together } from './finding.ts';

/** Asks the server for every right that the lab uses. */
export async function rightsFindings(cluster: Cluster, design: LabDesign, call: Call): Promise<Findings> {
  const all = permissionsOf(design.kubernetes);
  return together(await Promise.all(all.map((one) => missing(cluster, one, design.names.namespace, call))));
}

async function missing(
  cluster: Cluster,
  permission: Permission,
  namespace: string,
  call: Call,
): Promise<Findings> {
  const answers = await Promise.all(
    accessesOf(permission, namespace).map(async (access) => ({
      verb: access.verb,
      ...(await cluster.may(access, call)),
    })),
  );
  const refused = answers.filter((answer) => !answer.allowed);
  if (refused.length === 0) return together([]);
  const { group, resource, subresource, scope, need, why } = permission;
  const verbs = refused.map((answer) => answer.verb).join(', ');
  const name = `${resource}${subresource === undefined ? '' : `/${subresource}`}${group === '' ? '' : ` (${group})`}`;
  const where = scope === 'cluster' ? 'the cluster' : `namespace ${namespace}`;
  if (need === 'look') return note(`Assay may not ${verbs} ${name} in ${where}; unverified: ${why}.`);
  const reason = refused.find((answer) => answer.reason !== '')?.reason;
  return problem({
    code: 'no-permission',
    what: `Assay may not ${verbs} ${name}`,
    where,
    why: `it ${why}${reason === undefined ? '' : `; the server says: ${reason}`}`,
    fix: fixOf(need),
  });
}

function fixOf(need: Permission['need']): string {
  const role = 'Grant the role of deploy/ to whom the worker runs as';
  if (need === 'own-namespace')
    return `${role}, or name a namespace that exists in lab.kubernetes.namespace.`;
  if (need === 'own-class')
    return `${role}, or name a storage class that exists in lab.kubernetes.storageClass.`;
  return `${role}.`;
}
