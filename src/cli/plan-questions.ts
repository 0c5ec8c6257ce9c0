import { counted } from '../design/amounts.ts';
import type { Contrast, Plan, SearchPlan } from '../design/plan.ts';
import { bytesText, durationText, rateText } from './words.ts';

/** What is compared, expected and searched, and when it stops; one fact a line. Pure. */

/** Each contrast, below it every setting that changes and what follows from that. */
export function contrastLines({ contrasts }: Plan): readonly string[] {
  return contrasts.flatMap((contrast) => [
    contrast.name,
    ...changeLines(contrast).map((line) => `  ${line}`),
  ]);
}

function changeLines({ changes, implied = {}, confounded, incomparable }: Contrast): readonly string[] {
  return [
    ...Object.entries(changes).map(
      ([path, [from, to]]) => `${path}: ${from} → ${to}${path in implied ? ' (by itself)' : ''}`,
    ),
    ...Object.entries(implied).map(([path, why]) => `${path}: ${why}`),
    ...(confounded ? ['confounded: more than one setting changes, so no cause can be named'] : []),
    ...(incomparable === undefined ? [] : [`no verdict: ${incomparable}`]),
  ];
}

/** Expectations, stopping rule, series, depletion, capacity search. */
export function ruleLines(plan: Plan): readonly string[] {
  const { expectations, until, series, deplete, search } = plan;
  return [
    `metric: ${plan.metric}`,
    // A search compares nothing.
    ...(search === null
      ? [`margin: differences inside ± ${percent(plan.smallestEffectOfInterest)} count as no difference`]
      : []),
    ...expectations.map(({ text }) => `expected: ${text}`),
    until === null
      ? `stop: after ${counted(plan.orders.length, 'block')}`
      : `stop: from block ${until.minBlocks} on when every interval is within ± ${percent(until.halfWidth)}, at the latest after block ${until.maxBlocks}`,
    ...series.map(
      ({ factor, scenarios, achievedMin }) =>
        `series ${factor}: ${scenarios.join(', ')}; ends beyond the first that achieves less than ${percent(achievedMin)} of its rate`,
    ),
    ...(deplete === null
      ? []
      : [
          `deplete: ${deplete.scenario} without its limit until it has been above ${bytesText(deplete.upperBytesPerS)}/s and falls below ${bytesText(deplete.lowerBytesPerS)}/s, at most ${durationText(deplete.limitMs)}`,
        ]),
    ...(search === null ? [] : searchLines(search)),
  ];
}

function searchLines(search: SearchPlan): readonly string[] {
  const { pass } = search;
  const conditions = [
    ...(pass.achievedMin === undefined ? [] : [`achieved ≥ ${percent(pass.achievedMin, 4)}`]),
    ...(['p50', 'p95', 'p99', 'p999'] as const).flatMap((name) => {
      const most = pass[`${name}MaxMs`];
      return most === undefined ? [] : [`${name} ≤ ${most} ms`];
    }),
  ];
  return [
    `search: the highest rate of ${search.producer} from ${rateText(search.fromPerS)} to ${rateText(search.toPerS)}, to ${percent(search.resolution)}`,
    `search passes: ${conditions.join(' and ')}`,
    ...search.targets.map(({ scenario, grid }) => `search grid of ${scenario}: ${grid.join(', ')}`),
  ];
}

/** `5 %`; digits of a share. */
export function percent(share: number, digits = 3): string {
  return `${Number((share * 100).toPrecision(digits))} %`;
}
