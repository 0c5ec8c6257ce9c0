import { usdText } from '../design/cost.ts';
import { costEstimate, costLines } from '../design/lab-cost.ts';
import type { Plan, Range } from '../design/plan.ts';
import { usualVariation, VARIATION } from '../design/precision.ts';
import { percent } from './plan-questions.ts';
import { bytesText, durationText } from './words.ts';

/** What a plan takes and what it can show, one fact a line. Pure. */
export function estimateLines(plan: Plan): readonly string[] {
  const { estimates } = plan;
  const { trials, durationMs, writtenBytes, writtenBytesLimit, peakDiskBytes, precision } = estimates;
  return [
    `trials: ${trials}`,
    `time: ${rangeText(durationMs, durationText)}`,
    `written to disk: ${rangeText(writtenBytes, bytesText)}${writtenBytesLimit === null ? '' : `, never more than ${bytesText(writtenBytesLimit)}`}`,
    `on disk at one time: at most ${bytesText(peakDiskBytes)}`,
    ...moneyLines(plan),
    ...precision.map(
      ({ sd, halfWidth, detectable }) =>
        `if blocks vary by ${percent(sd, 2)}${usualText(plan, sd)}: intervals of ± ${percent(halfWidth, 2)}, effects from ${percent(detectable, 2)} are seen`,
    ),
  ];
}

function moneyLines(plan: Plan): readonly string[] {
  if (plan.lab.target === 'local') return ['cost: none, the lab is this machine'];
  const estimate = costEstimate(plan);
  if (estimate === null) return ['cost: not known; lab.kubernetes.prices says what a node and a volume cost'];
  const { usd } = plan.spec.design.budget;
  return [
    ...costLines(estimate),
    ...(usd === undefined ? [] : [`budget: ${usdText(usd)}, looked at before every block`]),
  ];
}

/** Which variation is usual for this plan. */
function usualText({ metric, scenarios }: Plan, sd: number): string {
  const usual = usualVariation(metric, scenarios);
  if (usual === VARIATION.fixedRate) return sd === usual ? ' (usual at a fixed rate, as here)' : '';
  if (sd === usual) return ' (usual without a rate limit, as here, on a quiet machine)';
  return sd === VARIATION.shared ? ' (usual on a shared machine)' : '';
}

function rangeText({ low, high }: Range, text: (value: number) => string): string {
  return text(low) === text(high) ? `about ${text(low)}` : `${text(low)} to ${text(high)}`;
}
