import { drawPlan } from '../../../../src/design/draw-plan.ts';
import type { LabPlan } from '../../../../src/design/plan.ts';
import { kubernetesPlanOf } from '../../../../src/design/kubernetes-plan.ts';
import { labDesign, type LabDesign, type LabIds } from '../../../../src/lab/kubernetes/objects/lab-design.ts';
import { parseSpec } from '../../../../src/spec/check.ts';
import { smallSpec } from '../../../spec/small-spec.ts';

export const IDS: LabIds = {
  key: 'codec-1a2b3c4d',
  workflowId: 'codec',
  owner: 'ann',
  expiresAtMs: Date.UTC(2026, 11, 1),
  clusterId: 'MkU3OEVBNTcwNTJENDM2Qg',
};

/** The plan of a kubernetes lab, as drawPlan makes it once activities can bring one up. */
export function labPlanOf(lab: Record<string, unknown> = {}, more: Record<string, unknown> = {}): LabPlan {
  const parsed = parseSpec(smallSpec({ lab: { target: 'kubernetes', ...lab }, ...more }));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const kubernetes = kubernetesPlanOf(parsed.spec);
  const local = drawPlan(smallSpec(), { experimentKey: 'k' });
  if (kubernetes === null || !local.ok) throw new Error('no plan');
  const { brokers, clients } = parsed.spec.lab;
  return {
    ...local.plan.lab,
    target: 'kubernetes',
    brokers: {
      count: brokers.count,
      kafka: brokers.kafka,
      heapBytes: brokers.heap,
      jit: brokers.jit,
      config: brokers.config,
    },
    clients: {
      names: Array.from({ length: clients.count }, (_, i) => `c${i + 1}`),
      heapBytes: clients.heap,
    },
    kubernetes,
  };
}

/** What the objects of a lab are made from; `more` is laid over the other sections of its spec. */
export function designOf(
  lab: Record<string, unknown> = {},
  ids: Partial<LabIds> = {},
  more: Record<string, unknown> = {},
): LabDesign {
  return labDesign(labPlanOf(lab, more), { ...IDS, ...ids });
}
