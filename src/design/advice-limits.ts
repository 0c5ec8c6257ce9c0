import type { Metric } from '../spec/schema.ts';
import type { AdviceInput } from './advice-input.ts';
import { shareIn } from './amounts.ts';
import type { Advice } from './plan.ts';
import { boundText } from './questions.ts';

/** Of these more is worse. */
const LESS_IS_BETTER: readonly Metric[] = ['p50', 'p95', 'p99', 'p999'];

/** Limits that are legal and look as if they were given the wrong way round. */
export function onLimits(input: AdviceInput): readonly Advice[] {
  return [...onBounds(input), ...onSearchRange(input), ...onStoppingWidth(input)];
}

/** `max: 60MiB/s` alone fails whatever is faster; `min: 50ms` alone fails whatever is quicker. */
function onBounds({ spec }: AdviceInput): readonly Advice[] {
  return (spec.expect ?? []).flatMap(({ metric, of, versus, min, max }, i): readonly Advice[] => {
    const less = LESS_IS_BETTER.includes(metric);
    const [bound, written, meant] = less ? [min, 'min', 'max'] : [max, 'max', 'min'];
    if (bound === undefined || (min !== undefined && max !== undefined)) return [];
    // "at most as fast as the other" is a fair thing to expect of a ratio below 1.
    if (versus !== undefined && (less ? bound.value > 1 : bound.value < 1)) return [];
    const message = `expect.${i}: ${written}: ${boundText(bound)} fails when ${metric} of ${of} is ${less ? 'lower' : 'higher'}, that is better. If you mean a limit that it must keep, write ${meant}: instead.`;
    return [{ code: 'bound-upside-down', message }];
  });
}

function onSearchRange({ spec }: AdviceInput): readonly Advice[] {
  const { search } = spec;
  if (search === undefined || search.from.kind === 'max' || search.to.kind === 'max') return [];
  const perS = (rate: typeof search.from): number =>
    rate.kind === 'records' ? rate.recordsPerS : rate.kind === 'bytes' ? rate.bytesPerS : 0;
  const [from, to] = [perS(search.from), perS(search.to)];
  if (to > from * (1 + search.resolution) ** 4) return [];
  const message = `The search goes from ${from} to ${to} per second, hardly more than the grid of its resolution, ${shareIn(search.resolution)}: it could only confirm that range. Write a wider one, or search.resolution: ${Math.max(1, Math.floor(search.resolution * 50))}%.`;
  return [{ code: 'search-too-narrow', message }];
}

/** A rule that stops at intervals wider than the margin stops before anything is known about the margin. */
function onStoppingWidth({ spec }: AdviceInput): readonly Advice[] {
  const { until } = spec.design;
  const margin = spec.smallestEffectOfInterest;
  if (until === undefined || until.halfWidth <= margin) return [];
  const message = `design.until stops at intervals of ± ${shareIn(until.halfWidth)}, which are wider than the margin of ± ${shareIn(margin)}: a difference that matters could stay unseen, and "no difference" cannot be shown. Write halfWidth: ${Number((margin * 100).toPrecision(3))}%, or raise smallestEffectOfInterest.`;
  return [{ code: 'until-wider-than-margin', message }];
}
