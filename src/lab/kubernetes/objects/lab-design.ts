import type { KubernetesPlan } from '../../../design/kubernetes-plan.ts';
import type { LabPlan } from '../../../design/plan.ts';
import { EXPERIMENT_LABEL } from '../api/cluster.ts';
import { type LabNames, labNames } from './names.ts';

/** Whose lab it is, and until when. */
export interface LabIds {
  /** Experiment key. */
  readonly key: string;
  readonly workflowId: string;
  /** Who started it; null = not known. */
  readonly owner: string | null;
  readonly expiresAtMs: number;
  /** Of Kafka: 22 characters, fresh for each lab. */
  readonly clusterId: string;
}

/** All that the objects of a lab are made from. */
export interface LabDesign {
  readonly plan: LabPlan;
  readonly kubernetes: KubernetesPlan;
  readonly ids: LabIds;
  readonly names: LabNames;
}

/** @throws Error for the plan of a local lab: our own mistake. */
export function labDesign(plan: LabPlan, ids: LabIds): LabDesign {
  const { kubernetes } = plan;
  if (kubernetes === undefined) throw new Error('this plan has no kubernetes lab');
  return { plan, kubernetes, ids, names: labNames(kubernetes, ids.key) };
}

export const MANAGED_BY = { 'app.kubernetes.io/managed-by': 'assay' } as const;
/** `broker` or `client`; what selects pods of the lab, with the experiment's label. */
export const ROLE_LABEL = 'assay.dev/role';
export type Role = 'broker' | 'client';

/** Labels of every object of the experiment. */
export function labels({ key }: LabIds): Record<string, string> {
  return { ...MANAGED_BY, [EXPERIMENT_LABEL]: key };
}

/** Labels that select the pods of one role of this experiment and no others. */
export function roleLabels({ key }: LabIds, role: Role): Record<string, string> {
  return { [EXPERIMENT_LABEL]: key, [ROLE_LABEL]: role };
}

export const ANNOTATIONS = {
  workflowId: 'assay.dev/workflow-id',
  owner: 'assay.dev/owner',
  expiresAt: 'assay.dev/expires-at',
} as const;

/** Tag of an EBS volume whose class retains it: the janitor never deletes it, also when nobody names it any more. */
export const RECLAIM_TAG = 'assay.dev/reclaim';

/** Annotations that never change while the lab lives: for templates, where a change would mean new pods. */
export function steadyAnnotations({ workflowId, owner }: LabIds): Record<string, string> {
  return {
    [ANNOTATIONS.workflowId]: workflowId,
    ...(owner === null ? {} : { [ANNOTATIONS.owner]: owner }),
  };
}

/** Annotations of objects; the expiry is renewed while the experiment runs. */
export function annotations(ids: LabIds): Record<string, string> {
  return {
    ...steadyAnnotations(ids),
    [ANNOTATIONS.expiresAt]: new Date(ids.expiresAtMs).toISOString(),
  };
}
