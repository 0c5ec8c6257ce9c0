import {
  type Call,
  type Cluster,
  EXPERIMENT_LABEL,
  type Kind,
  type Kinds,
  type Ref,
} from '../api/cluster.ts';
import { labObjects } from '../objects/all.ts';
import type { LabDesign } from '../objects/lab-design.ts';
import { type Findings, ifAllowed, NOTHING, note, problem, together } from './finding.ts';

/** The namespace of the lab: there and usable when it is given, not there (or ours) when it is to be made. */
export async function namespaceFindings(cluster: Cluster, design: LabDesign, call: Call): Promise<Findings> {
  const name = design.names.namespace;
  const given = design.kubernetes.namespace.mode === 'given';
  const looked = await ifAllowed(cluster.get({ kind: 'Namespace', name }, call));
  if (looked === null) return NOTHING;
  const there = looked.seen;
  const where = `Namespace ${name}`;
  if (there === null)
    return given
      ? problem({
          code: 'namespace-missing',
          what: 'The namespace of the lab does not exist',
          where,
          why: 'lab.kubernetes.namespace names one that is there already',
          fix: `Create it, write { create: ${name} }, or leave it out to have one of the experiment.`,
        })
      : NOTHING;
  if (there.metadata?.deletionTimestamp !== undefined)
    return problem({
      code: 'namespace-going',
      what: 'The namespace of the lab is being deleted',
      where,
      why: 'nothing can be made in it any more',
      fix: 'Wait until it is gone, or take another.',
    });
  if (!given && !isOurs(there, design))
    return problem({
      code: 'namespace-exists',
      what: 'The namespace that Assay was to make exists',
      where,
      why: `it does not carry the label ${EXPERIMENT_LABEL} of this experiment, so it is somebody's; it was not touched`,
      fix: `Write lab.kubernetes.namespace: ${name} to run in it, or take another name.`,
    });
  return podSecurity(there, where);
}

/** Pods of the official image run as its own user, which `restricted` does not take. */
function podSecurity(there: Kinds['Namespace'], where: string): Findings {
  const level = there.metadata?.labels?.['pod-security.kubernetes.io/enforce'];
  return level === 'restricted'
    ? problem({
        code: 'pod-security',
        what: 'The namespace admits restricted pods only',
        where,
        why: 'its label pod-security.kubernetes.io/enforce is restricted, and brokers run as the user of their image with its capabilities',
        fix: 'Take a namespace with baseline, or leave it out to have one of the experiment.',
      })
    : NOTHING;
}

/** Objects under names of the lab that are not of this experiment: nothing is made beside or over them. */
export async function foreignFindings(cluster: Cluster, design: LabDesign, call: Call): Promise<Findings> {
  return together(await Promise.all(namesOf(design).map((ref) => foreign(cluster, ref, design, call))));
}

/** Everything that the lab makes or that the cluster makes for it: a StatefulSet takes over pods and claims of its names. */
function namesOf(design: LabDesign): readonly Ref[] {
  const { names, plan } = design;
  const made = labObjects(design)
    .filter((object) => object.kind !== 'Namespace')
    .map((object): Ref => refOf(object.kind, object.metadata));
  const ordinals = Array.from({ length: plan.brokers.count }, (_, i) => i);
  return [
    ...made,
    ...ordinals.map((i): Ref => ({ kind: 'Pod', namespace: names.namespace, name: names.brokerPod(i) })),
    ...ordinals.map(
      (i): Ref => ({ kind: 'PersistentVolumeClaim', namespace: names.namespace, name: names.claim(i) }),
    ),
  ];
}

function refOf(kind: Kind, metadata: Kinds['Pod']['metadata']): Ref {
  const { name = '', namespace } = metadata ?? {};
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

async function foreign(cluster: Cluster, ref: Ref, design: LabDesign, call: Call): Promise<Findings> {
  const looked = await ifAllowed(cluster.get(ref, call));
  // Not allowed to look: rights.ts has said so.
  if (looked === null || looked.seen === null) return NOTHING;
  const where = `${ref.kind} ${ref.namespace === undefined ? '' : `${ref.namespace}/`}${ref.name}`;
  if (!isOurs(looked.seen, design))
    return problem({
      code: 'foreign-object',
      what: 'An object under a name of the lab is not of this experiment',
      where,
      why: `it does not carry the label ${EXPERIMENT_LABEL}: ${design.ids.key}; it was not touched`,
      fix: fixOf(ref, design),
    });
  return looked.seen.metadata?.deletionTimestamp === undefined
    ? NOTHING
    : note(`${where} of this experiment is still being deleted.`);
}

function fixOf({ kind }: Ref, { kubernetes }: LabDesign): string {
  if (kind === 'StorageClass')
    return 'Write its name as lab.kubernetes.storageClass to use it, or give the one to make another name.';
  return kubernetes.namespace.mode === 'given'
    ? 'Remove it, or take another namespace.'
    : 'Take another name for the namespace.';
}

export function isOurs(
  object: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } },
  { ids }: LabDesign,
): boolean {
  return object.metadata?.labels?.[EXPERIMENT_LABEL] === ids.key;
}
