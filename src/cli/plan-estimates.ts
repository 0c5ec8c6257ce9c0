import { usdText } from '../design/cost.ts';
import { heldByLimit } from '../design/held-metric.ts';
import { costEstimate, costLines } from '../design/lab-cost.ts';
import type { Plan, Range } from '../design/plan.ts';
import { LATENCIES, usualVariation, VARIATION, wholeMsAt } from '../design/precision.ts';
import { percent } from './plan-questions.ts';
import { bytesText, durationText } from './words.ts';

/** What a plan takes and what it can show, one fact a line. Pure. */
export function estimateLines(plan: Plan): readonly string[] {
  const { estimates } = plan;
  const { trials, durationMs, writtenBytes, writtenBytesLimit, peakDiskBytes } = estimates;
  return [
    `trials: ${trials}`,
    `time: ${rangeText(durationMs, durationText)}`,
    `written to disk: ${rangeText(writtenBytes, bytesText)}${writtenBytesLimit === null ? '' : `, never more than ${bytesText(writtenBytesLimit)}`}`,
    `on disk at one time: at most ${bytesText(peakDiskBytes)}`,
    ...moneyLines(plan),
    ...precisionLines(plan),
  ];
}

/** What could be seen, under each assumption about the metric; or why there is nothing to expect. */
function precisionLines(plan: Plan): readonly string[] {
  const { metric, contrasts, scenarios, search, estimates } = plan;
  // A search finds a rate, and its blocks judge whether it passes.
  if (search !== null) return [];
  if (contrasts.length === 0) return ['precision: none, nothing is compared'];
  if (heldByLimit(metric, scenarios))
    return [`precision: none to expect, ${metric} can only say whether the asked rate was kept`];
  if (estimates.precision.length === 0) return ['precision: none, one block gives no interval'];
  const together = contrasts.length === 1 ? '' : `, all ${contrasts.length} contrasts together`;
  return [
    `precision: how much ratios of ${metric} vary from block to block is an assumption until block 0 has run`,
    `precision: 95 % intervals${together}; effects that are seen with 80 % power`,
    ...estimates.precision.map((one) => precisionLine(plan, one)),
    ...stepLines(plan),
  ];
}

function precisionLine(
  plan: Plan,
  { sd, halfWidth, detectable }: Plan['estimates']['precision'][number],
): string {
  return `if ratios of ${plan.metric} vary by ${percent(sd, 2)}${usualText(plan, sd)}: intervals of ± ${percent(halfWidth, 2)}, effects from ${percent(detectable, 2)} are seen`;
}

/** The tool's step can be larger than what the blocks could show. */
function stepLines({ metric, scenarios, estimates }: Plan): readonly string[] {
  const usual = estimates.precision.find(({ sd }) => sd === usualVariation(metric, scenarios));
  if (!LATENCIES.includes(metric) || usual === undefined) return [];
  const { halfWidth } = usual;
  return [
    `the tool gives whole ms: where ${metric} is below ${wholeMsAt(halfWidth)}, one step is more than ± ${percent(halfWidth, 2)}, and decides instead`,
  ];
}

function moneyLines(plan: Plan): readonly string[] {
  if (plan.lab.target === 'local') return ['cost: none, the lab is this machine'];
  if (plan.lab.target === 'existing') return ['cost: known to the owner of the cluster only'];
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
