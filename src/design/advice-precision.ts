import { type AdviceInput, producersOf } from './advice-input.ts';
import { counted, shareIn, timeIn } from './amounts.ts';
import { heldByLimit } from './held-metric.ts';
import type { Advice, Estimates, Metric } from './plan.ts';
import {
  blocksForHalfWidth,
  LATENCIES,
  STOPPING_WIDENING,
  usualVariation,
  VARIATION,
  wholeMsAt,
} from './precision.ts';
import { expectedHalfWidth } from './statistics/power.ts';

/** Error of all primary contrasts together (Bonferroni). */
const ALPHA = 0.05;

/** Targets that the blocks of the spec cannot reach, with what would reach them. */
export function onPrecision(input: AdviceInput): readonly Advice[] {
  if (input.contrasts.length === 0) return [];
  // What a rate that is asked for can say is said as advice on latency.
  const held = isHeld(input, input.spec.metric);
  return [...(held ? [] : [...onUntil(input), ...onMargin(input)]), ...onExpectations(input)];
}

/** An experiment that cannot end before its deadline ends with what it has. */
export function onDeadline(deadlineMs: number, estimates: Estimates): readonly Advice[] {
  const { low, high } = estimates.durationMs;
  if (high <= deadlineMs) return [];
  const enough = (ms: number): string => `${Math.ceil((ms * 1.5) / 3_600_000)}h`;
  if (low <= deadlineMs) {
    const message = `The longest estimate, ${timeIn(high)}, exceeds design.deadline, ${timeIn(deadlineMs)}: on a slow machine the experiment ends with what it has by then. To be sure write design.deadline: ${enough(high / 1.5)}, or run fewer blocks.`;
    return [{ code: 'deadline-may-be-short', message }];
  }
  const message = `Even the shortest estimate, ${timeIn(low)}, exceeds design.deadline, ${timeIn(deadlineMs)}: the experiment would end with what it has by then. Shorten the loads, run fewer blocks, or write design.deadline: ${enough(low)}.`;
  return [{ code: 'deadline-too-short', message }];
}

function isHeld({ scenarios }: AdviceInput, metric: Metric): boolean {
  return heldByLimit(
    metric,
    scenarios.map(({ scenario }) => scenario),
  );
}

/** Before anything has been measured. */
function usualOf({ spec, scenarios }: AdviceInput, metric = spec.metric): number {
  return usualVariation(
    metric,
    scenarios.map(({ scenario }) => scenario),
  );
}

/** Expected half-width of the simultaneous intervals; those of a stopping rule are wider. */
function halfWidthAt({ blocks, contrasts, until }: AdviceInput, sd: number): number {
  const widening = until === null ? 1 : STOPPING_WIDENING;
  return blocks < 2 ? Infinity : expectedHalfWidth(sd * widening, blocks, ALPHA / contrasts.length);
}

/** `about 130 blocks`. */
function blocksText({ contrasts, until, scenarios }: AdviceInput, halfWidth: number, sd: number): string {
  const widening = until === null ? 1 : STOPPING_WIDENING;
  const fewest = blocksForHalfWidth({ halfWidth, contrasts: contrasts.length, sd, widening });
  // Two scenarios are each first equally often in an even number.
  const blocks = scenarios.length === 2 ? fewest + (fewest % 2) : fewest;
  return Number.isFinite(blocks) ? `about ${blocks} blocks` : 'more blocks than anybody runs';
}

/** Rate-limited loads vary far less; said only where there is a load without a limit. */
function orLimit(input: AdviceInput): string {
  const free = producersOf(input).find(({ load }) => load.rate.kind === 'max');
  return free === undefined
    ? ''
    : `, or fix the rate (producers.${free.name}.rate: 5k/s, with metric: p99), because limited loads vary far less`;
}

function onUntil(input: AdviceInput): readonly Advice[] {
  const { until } = input;
  const sd = usualOf(input);
  if (until === null || halfWidthAt(input, sd) <= until.halfWidth) return [];
  const [usual, shared] = [sd, VARIATION.shared].map((one) => blocksText(input, until.halfWidth, one));
  const reachable = Math.ceil(halfWidthAt(input, sd) * 100);
  const message = `design.until.halfWidth ${shareIn(until.halfWidth)} needs ${usual} where they vary by ${shareIn(sd)}, as is usual ${sd === VARIATION.fixedRate ? 'at a fixed rate' : 'on a quiet machine'}, and ${shared} where they vary by ${shareIn(VARIATION.shared)}, as on a shared one; until.max is ${until.maxBlocks}. Write halfWidth: ${reachable}%${orLimit(input)}.`;
  return [{ code: 'precision-out-of-reach', message }];
}

function onMargin(input: AdviceInput): readonly Advice[] {
  const margin = input.spec.smallestEffectOfInterest;
  const sd = usualOf(input);
  const width = halfWidthAt(input, sd);
  if (width <= margin) return [];
  const { metric } = input.spec;
  // One step of 1 ms is the margin or more.
  const steps = LATENCIES.includes(metric)
    ? ` Below ${wholeMsAt(margin)} one whole ms of the tool is more than the margin, whatever the number of blocks.`
    : '';
  const message = `Where ratios of ${metric} vary by ${shareIn(sd)} from block to block, as is usual ${sd === VARIATION.fixedRate ? 'at a fixed rate' : 'without a rate limit'}, ${counted(input.blocks, 'block')} give intervals of ± ${shareIn(width)}: "no difference larger than ${shareIn(margin)}" can hardly be shown. That takes ${blocksText(input, margin, sd)}; run them, or raise smallestEffectOfInterest${orLimit(input)}.${steps}`;
  return [{ code: 'margin-out-of-reach', message }];
}

/** Only bounds on both sides can be too close to each other. */
function onExpectations(input: AdviceInput): readonly Advice[] {
  return (input.spec.expect ?? []).flatMap(({ metric, of, min, max }): readonly Advice[] => {
    if (!min || !max || min.value <= 0 || isHeld(input, metric)) return [];
    const sd = usualOf(input, metric);
    const width = halfWidthAt(input, sd);
    const room = Math.sqrt(max.value / min.value) - 1;
    if (width <= room) return [];
    const message = `The bounds of ${metric} of ${of} leave ± ${shareIn(room)}, and ${counted(input.blocks, 'block')} usually give intervals of ± ${shareIn(width)}: it would stay inconclusive. Run ${blocksText(input, room, sd)}, or leave one of min and max out.`;
    return [{ code: 'expectation-out-of-reach', message }];
  });
}
