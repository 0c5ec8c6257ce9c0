import { describe, expect, test } from 'vitest';
import { estimateLines } from '../../src/cli/plan-estimates.ts';
import { drawPlan } from '../../src/design/draw-plan.ts';
import { billedParts, costEstimate } from '../../src/design/lab-cost.ts';
import type { Plan } from '../../src/design/plan.ts';
import { labPlanOf } from '../lab/kubernetes/objects/support.ts';
import { smallSpec } from '../spec/small-spec.ts';

const PRICES = { date: '2026-09', instances: { 'm5.xlarge': 0.236 }, volumes: { gp3: 0.0912 } };

function planOf(kubernetes: Record<string, unknown>): Plan {
  const drawn = drawPlan(smallSpec({ design: { budget: { usd: 5 } } }), { experimentKey: 'k' });
  if (!drawn.ok) throw new Error('no plan');
  const durationMs = { low: 3_600_000, high: 7_200_000 };
  const lab = labPlanOf({ kubernetes });
  return { ...drawn.plan, lab, estimates: { ...drawn.plan.estimates, durationMs } };
}

describe('what a lab costs', () => {
  test('the reference: three brokers, three volumes, the client without a price of its own named', () => {
    const estimate = costEstimate(planOf({ prices: PRICES }));
    expect(estimate?.low.items.slice(0, 1)).toEqual([{ what: '3 × m5.xlarge', hours: 1, usd: 3 * 0.236 }]);
    expect(estimate?.low.usd).toBeCloseTo(0.708 + (300 * 0.0912) / 730, 10);
    expect(estimate?.high.usd).toBeCloseTo(2 * (estimate?.low.usd ?? 0), 10);
    expect(estimate?.low.unpriced).toEqual(['1 × m5.large']);
  });

  test('the time that a lab is kept afterwards is paid for', () => {
    const plan = planOf({ prices: PRICES });
    const kept = costEstimate({ ...plan, keepMs: 3_600_000 });
    expect(kept?.low.usd).toBeCloseTo(costEstimate(plan)?.high.usd ?? 0, 10);
  });

  test('what the spec does not tell is unknown, not free', () => {
    const { billed, unknown } = billedParts(
      labPlanOf({ kubernetes: { storageClass: 'gp3', brokers: { nodes: {} } } }),
    );
    expect(billed).toHaveLength(1);
    expect(unknown).toEqual([
      'nodes of the brokers: no node.kubernetes.io/instance-type',
      'volumes: their type is that of StorageClass gp3',
    ]);
  });

  test('another lab, or no prices: no estimate', () => {
    expect(costEstimate(planOf({}))).toBeNull();
    const drawn = drawPlan(smallSpec(), { experimentKey: 'k' });
    expect(drawn.ok && costEstimate(drawn.plan)).toBeNull();
    expect(drawn.ok && billedParts(drawn.plan.lab)).toEqual({ billed: [], unknown: [] });
  });
});

test('assay plan says it: from, to, of what, at prices of when, what is missing, the budget', () => {
  const lines = estimateLines(planOf({ prices: PRICES }));
  expect(lines).toEqual(
    expect.arrayContaining([
      'cost: $0.745 to $1.49 for 3 × m5.xlarge + 3 × 100 GiB gp3, at prices of 2026-09',
      'cost: without a price here: 1 × m5.large',
      'budget: $5.00, looked at before every block',
    ]),
  );
  expect(lines.some((line) => line.startsWith('cost: not included: the control plane'))).toBe(true);
  expect(estimateLines(planOf({}))).toContain(
    'cost: not known; lab.kubernetes.prices says what a node and a volume cost',
  );
});
