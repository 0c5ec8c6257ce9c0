import { drawPlan } from '../../src/design/draw-plan.ts';
import type { Plan } from '../../src/design/plan.ts';
import { smallSpec } from '../spec/small-spec.ts';

export type Changes = Readonly<Record<string, unknown>>;

export function planOf(changes: Changes): Plan {
  const drawn = drawPlan(smallSpec(changes), { experimentKey: 'key-1' });
  if (!drawn.ok) throw new Error(drawn.issues.map((i) => i.message).join('\n'));
  return drawn.plan;
}

/** What is said under a code, all of it in one text; empty = not said. */
export function said(changes: Changes, code: string): string {
  return planOf(changes)
    .advice.filter((advice) => advice.code === code)
    .map((advice) => advice.message)
    .join('\n');
}

export const config = (of: Changes, more: Changes = {}): Changes => ({
  producers: { p: { for: '30s', config: of, ...more } },
});
export const factor = (set: string, levels: readonly unknown[]): Changes => ({
  factors: { f: { set, levels } },
});
export const limited: Changes = { producers: { p: { for: '30s', rate: '5k/s' } } };

export function search(range: Changes): Changes {
  return {
    factors: {},
    producers: { p: { for: '30s' } },
    search: { set: 'producers.p.rate', pass: { achieved: { min: '99.5%' } }, ...range },
  };
}
