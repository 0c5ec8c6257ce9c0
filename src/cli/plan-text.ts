import type { Plan, Range } from '../design/plan.ts';
import { bytesText, durationText } from './words.ts';

/** A plan as text for a terminal. Pure. */

/** Everything that was fixed: scenarios, contrasts, orders, estimates, advice. */
export function planText(plan: Plan): string {
  const lines = [
    `${plan.name}: ${plan.question}`,
    '',
    'Scenarios',
    ...plan.scenarios.map((scenario) => `  ${scenario.slug}`),
    'Contrasts',
    ...plan.contrasts.map(({ name, changes, confounded }) => {
      const changed = Object.entries(changes).map(([path, [from, to]]) => `${path} ${from} → ${to}`);
      return `  ${name}${changed.length > 0 ? `: ${changed.join(', ')}` : ''}${confounded ? '  (more than one setting: no cause can be named)' : ''}`;
    }),
    `Warm-up: at most ${plan.warmup.maxPasses} passes, until two agree within ${percent(plan.warmup.agreeWithin)}`,
    `Blocks (seed ${plan.seed})`,
    ...plan.orders.map((order, i) => `  ${i + 1}: ${order.join('  ')}`),
    'Estimates',
    ...estimateLines(plan).map((line) => `  ${line}`),
    ...adviceLines(plan),
  ];
  return `${lines.join('\n')}\n`;
}

/** The plan in a few lines, said before an experiment starts. */
export function planSummary(plan: Plan): string[] {
  const { scenarios, orders } = plan;
  return [
    plan.question,
    `${counted(scenarios.length, 'scenario')} in ${counted(orders.length, 'block')} after a warm-up of at most ${counted(plan.warmup.maxPasses, 'pass')}.`,
    ...estimateLines(plan).slice(0, 2),
    ...adviceLines(plan),
  ];
}

function estimateLines({ estimates, smallestEffectOfInterest }: Plan): string[] {
  const { trials, durationMs, writtenBytes, writtenBytesLimit, peakDiskBytes, precision } = estimates;
  const bound = writtenBytesLimit === null ? '' : `, never more than ${bytesText(writtenBytesLimit)}`;
  return [
    `${trials} trials in ${rangeText(durationMs, durationText)}`,
    `${rangeText(writtenBytes, bytesText)} written to disk${bound}; at most ${bytesText(peakDiskBytes)} at one time`,
    ...precision.map(
      ({ sd, halfWidth, detectable }) =>
        `if blocks vary by ${percent(sd)}: intervals of ± ${percent(halfWidth)}, effects from ${percent(detectable)} are seen`,
    ),
    `effects inside ± ${percent(smallestEffectOfInterest)} count as no difference`,
  ];
}

function adviceLines({ advice }: Plan): string[] {
  return advice.map(({ message }) => `Note: ${message}`);
}

function rangeText({ low, high }: Range, text: (value: number) => string): string {
  return text(low) === text(high) ? `about ${text(low)}` : `${text(low)} to ${text(high)}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

/** `1 block`, `6 blocks`, `1 pass`, `3 passes`. */
function counted(n: number, what: string): string {
  if (n === 1) return `1 ${what}`;
  return `${n} ${what}${what.endsWith('s') ? 'es' : 's'}`;
}
