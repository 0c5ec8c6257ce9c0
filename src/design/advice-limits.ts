import type { Metric } from '../spec/schema.ts';
import type { AdviceInput } from './advice-input.ts';
import { shareIn } from './amounts.ts';
import type { Advice } from './plan.ts';
import { boundText } from './questions.ts';

/** Of these more is worse. */
const LESS_IS_BETTER: readonly Metric[] = ['p50', 'p95', 'p99', 'p999'];

/** Limits that are legal and look as if they were given the wrong way round. */
export function onLimits(input: AdviceInput): readonly Advice[] {
  return [
    ...onBounds(input),
    ...onSearchRange(input),
    ...onSearchConditions(input),
    ...onStoppingWidth(input),
  ];
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

const SEARCHED_LATENCIES = ['p50', 'p95', 'p99', 'p999'] as const;

/** What a search does not look at, and what it takes the place of. */
function onSearchConditions({ spec }: AdviceInput): readonly Advice[] {
  const { search } = spec;
  if (search === undefined) return [];
  const producer = search.set.split('.')[1] ?? '';
  const latency = SEARCHED_LATENCIES.find((name) => search.pass[name] !== undefined);
  const written = spec.producers[producer]?.rate.kind ?? 'max';
  return [
    ...(latency === undefined || search.pass.achieved !== undefined
      ? []
      : [
          {
            code: 'search-without-achieved',
            message: `search.pass has ${latency} and no achieved: a rate that is asked for and not reached could pass, and the capacity would be a rate that never was. Write achieved: { min: 99.5% } beside it.`,
          },
        ]),
    ...(written === 'max'
      ? []
      : [
          {
            code: 'search-overrides-rate',
            message: `The search sets producers.${producer}.rate itself, so the rate written there is never used. Leave producers.${producer}.rate out.`,
          },
        ]),
  ];
}

/** A rule that stops at intervals wider than the margin stops before anything is known about the margin. */
function onStoppingWidth({ spec }: AdviceInput): readonly Advice[] {
  const { until } = spec.design;
  const margin = spec.smallestEffectOfInterest;
  if (until === undefined || until.halfWidth <= margin) return [];
  const message = `design.until stops at intervals of ± ${shareIn(until.halfWidth)}, which are wider than the margin of ± ${shareIn(margin)}: a difference that matters could stay unseen, and "no difference" cannot be shown. Write halfWidth: ${Number((margin * 100).toPrecision(3))}%, or raise smallestEffectOfInterest.`;
  return [{ code: 'until-wider-than-margin', message }];
}
