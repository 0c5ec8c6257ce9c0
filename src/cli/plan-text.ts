import { heldByLimit } from '../design/held-metric.ts';
import type { Plan } from '../design/plan.ts';
import { planSha256 } from '../design/plan-json.ts';
import { estimateLines } from './plan-estimates.ts';
import { producerLines } from './plan-producers.ts';
import { contrastLines, percent, ruleLines } from './plan-questions.ts';
import { scenarioLines } from './plan-scenarios.ts';
import { settingLines } from './plan-settings.ts';
import { durationText } from './words.ts';

/** A plan as text for a terminal. Pure. */

/**
 * Everything that was fixed, one fact a line and nothing of the day or the machine, so that `diff` of two plans reads
 * well; advice last.
 */
export function planText(plan: Plan): string {
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Question', ruleLines(plan)],
    ['Settings', settingLines(plan)],
    ['Producers (a | b: by scenario)', producerLines(plan)],
    ['Scenarios', scenarioLines(plan)],
    ['Contrasts (first ÷ second)', contrastLines(plan)],
    ['Warm-up', warmupLines(plan)],
    [
      'Blocks, each in this order',
      [seedLine(plan), ...scheduleLines(plan), ...orderLines(plan, plan.orders)],
    ],
    ['Estimates', estimateLines(plan)],
  ];
  const lines = [
    `${plan.name}: ${plan.question}`,
    ...(plan.smoke ? ['REHEARSAL AT A TINY SCALE, NOT A MEASUREMENT'] : []),
    ...plan.overrides.map((override) => `changed on the command line: ${override}`),
    ...sections.flatMap(([title, body]) =>
      body.length === 0 ? [] : ['', title, ...body.map((line) => `  ${line}`)],
    ),
    '',
    hashLine(plan),
    ...adviceLines(plan),
  ];
  return `${lines.join('\n')}\n`;
}

/** The plan in a few lines, said before an experiment starts. */
export function planSummary(plan: Plan): string[] {
  const { scenarios, orders, until } = plan;
  const most = until === null ? '' : 'at most ';
  return [
    plan.question,
    `${counted(scenarios.length, 'scenario')} in ${most}${counted(orders.length, 'block')} after a warm-up of at most ${counted(plan.warmup.maxPasses, 'pass')}.`,
    ...estimateLines(plan)
      .slice(1, 4)
      .map((line) => `${line[0]?.toUpperCase()}${line.slice(1)}`),
    ...adviceLines(plan),
  ];
}

function seedLine({ seed, spec }: Plan): string {
  return spec.design.seed === 'run'
    ? 'seed: drawn anew at each run; the order below is an example'
    : `seed: ${seed}`;
}

function scheduleLines({ spec: { schedule } }: Plan): readonly string[] {
  if (schedule === undefined) return [];
  const { cron, zone, overlap, catchUp, jitter } = schedule;
  const late = jitter === 0 ? '' : `, up to ${durationText(jitter)} later`;
  return [
    `schedule: ${cron}, ${zone}, overlap ${overlap}${late}, made up for within ${durationText(catchUp)}`,
  ];
}

function hashLine(plan: Plan): string {
  const again =
    plan.spec.design.seed === 'run' ? ' (seed: run: each experiment draws a plan of its own)' : '';
  return `Plan: sha256 ${planSha256(plan)}${again}`;
}

function warmupLines(plan: Plan): readonly string[] {
  const { maxPasses, agreeWithin, orders } = plan.warmup;
  const { search } = plan;
  return [
    `at most ${counted(maxPasses, 'pass')}, until the steady rate (records/s) of every scenario is within ${percent(agreeWithin)} of the pass before`,
    ...heldRateLines(plan),
    ...(search === null ? [] : [`${search.producer} runs as fast as it can; then the search`]),
    ...orderLines(plan, orders),
  ];
}

/** Passes are compared by their rates, whatever the metric is. */
function heldRateLines({ scenarios, search }: Plan): readonly string[] {
  if (search !== null || !heldByLimit('rate', scenarios)) return [];
  return [
    'every rate is asked for, so two passes agree as soon as the lab keeps it: latency may still be falling then',
  ];
}

/** `1: a  b`; scenarios of one plot stand together behind its name. */
function orderLines(plan: Plan, orders: readonly (readonly string[])[]): readonly string[] {
  const split = Object.keys(plan.plots).length > 1;
  const plotOf = new Map(plan.scenarios.map((s) => [s.slug, s.plot]));
  return orders.map((order, i) => {
    const words = order.flatMap((slug, at) => {
      const plot = plotOf.get(slug) ?? '';
      const begins = split && (at === 0 || plotOf.get(order[at - 1] ?? '') !== plot);
      return begins ? [`[${plot}]`, slug] : [slug];
    });
    return `${i + 1}: ${words.join('  ')}`;
  });
}

function adviceLines({ advice }: Plan): string[] {
  return advice.map(({ message }) => `Note: ${message}`);
}

/** `1 block`, `6 blocks`, `1 pass`, `3 passes`. */
function counted(n: number, what: string): string {
  if (n === 1) return `1 ${what}`;
  return `${n} ${what}${what.endsWith('s') ? 'es' : 's'}`;
}
