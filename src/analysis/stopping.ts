import { fewestBlocks } from '../design/order.ts';
import type { Frozen, Plan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { EffectResult } from './analysis.ts';
import { type EffectPlan, estimateEffects } from './effects.ts';
import { percentText } from './format.ts';
import { replicateText } from './replicates.ts';

/** Whether the experiment may stop after a block, and why. */
export interface StoppingLook {
  readonly enough: boolean;
  readonly because: string;
  /** Half-width of the widest interval that decides, a share; null when a contrast has none yet. */
  readonly widest: number | null;
}

/**
 * The stopping rule, looked at only at the end of a block: from `until.minBlocks` on it stops when the simultaneous t interval × 1.10 of
 * every primary contrast reaches no further than `until.halfWidth` above its estimate. The same widened interval is
 * reported, whether the rule stopped the experiment or the cap did (facts: statistics). Contrasts that can never have a number
 * (left out, no common measure) hold nothing up.
 *
 * @param trials every attempt so far.
 * @param blocksRun measured blocks that ended.
 * @param frozen what block 0 fixed: scenarios that are left out.
 */
export function enough(
  plan: EffectPlan,
  trials: readonly TrialRecord[],
  blocksRun: number,
  frozen: Frozen | null = null,
): StoppingLook {
  const { until } = plan;
  if (!until) return no('the number of blocks is fixed');
  const effects = estimateEffects(plan, trials, frozen).filter((e) => canHaveNumber(plan, e, frozen));
  if (effects.length === 0) return no('no contrast can be compared, so no interval can become narrow');
  const widths = effects.map(halfWidthOf);
  const widest = widths.includes(null) ? null : Math.max(...widths.map((w) => w ?? 0));
  const needed = fewestBlocks(plan.contrasts.length);
  const thin = effects.find((e) => e.n < needed);
  if (blocksRun < until.minBlocks) return { ...no(`no look before block ${until.minBlocks}`), widest };
  if (thin !== undefined || widest === null)
    return {
      ...no(
        `${thin?.contrast ?? 'a contrast'} has ${replicateText(thin?.n ?? 0, thin?.unit ?? 'block')} with both trials valid, ${needed} are needed`,
      ),
      widest,
    };
  const target = `± ${percentText(until.halfWidth)}`;
  return widest <= until.halfWidth
    ? {
        enough: true,
        because: `every interval is within ${target} (widest ± ${percentText(widest)})`,
        widest,
      }
    : {
        enough: false,
        because: `the widest interval is ± ${percentText(widest)}, asked for is ${target}`,
        widest,
      };
}

function no(because: string): StoppingLook {
  return { enough: false, because, widest: null };
}

function canHaveNumber(plan: EffectPlan, effect: EffectResult, frozen: Frozen | null): boolean {
  const contrast = plan.contrasts.find((c) => c.name === effect.contrast);
  const out = frozen?.leftOut ?? {};
  return (
    contrast?.incomparable === undefined &&
    out[effect.numerator] === undefined &&
    out[effect.denominator] === undefined
  );
}

/** How far the deciding interval reaches above its estimate, a share. */
function halfWidthOf({ simultaneous, ratio }: EffectResult): number | null {
  return simultaneous === null || ratio === null ? null : simultaneous.high / ratio - 1;
}

/** One sentence for the answer of an experiment with a stopping rule; null without one. */
export function stoppingSentence(
  plan: EffectPlan & Pick<Plan, 'orders'>,
  look: StoppingLook,
  blocksRun: number,
): string | null {
  if (!plan.until || blocksRun === 0) return null;
  const most = plan.orders.length;
  if (look.enough && blocksRun < most)
    return `The stopping rule ended it after ${blocksRun} of at most ${most} blocks: ${look.because}.`;
  if (look.enough) return `The stopping rule was met in the last of ${most} blocks: ${look.because}.`;
  if (blocksRun < most) return null;
  return `The stopping rule was not met in ${most} blocks: ${look.because}.`;
}
