import type { Contrast, Metric, Plan } from '../design/plan.ts';
import type { CapacityResult, EffectResult, ExpectationResult, ScenarioSummary } from './analysis.ts';
import { percentText, ratioText } from './format.ts';
import { isLatency, metricNoun, theMetric, valueText } from './metrics.ts';
import { replicateText } from './replicates.ts';

/** More contrasts than this are left to the table. */
const MOST_SENTENCES = 3;

/** What the answer speaks of. */
export interface Findings {
  readonly effects: readonly EffectResult[];
  readonly expectations: readonly ExpectationResult[];
  readonly capacities: readonly CapacityResult[];
  readonly scenarios: readonly ScenarioSummary[];
}

/**
 * The answer to the question in plain sentences, intervals included: expectations first, then capacities, then one sentence for each
 * contrast, and what a confound takes from it.
 */
export function answerText(plan: Plan, findings: Findings): string {
  const { effects, expectations, capacities, scenarios } = findings;
  const sentences = [
    ...(plan.smoke ? ['This was a rehearsal, not a measurement.'] : []),
    ...expectationSentences(expectations),
    ...capacities.map((c) => c.sentence),
  ];
  if (effects.length > 0) sentences.push(...effectSentences(plan, effects));
  else if (capacities.length === 0 && expectations.length === 0)
    sentences.push(scenariosAlone(scenarios, plan.metric));
  return sentences.join(' ');
}

function effectSentences(plan: Plan, effects: readonly EffectResult[]): readonly string[] {
  const sentences = effects.slice(0, MOST_SENTENCES).map((effect, i) => {
    const confound = effect.confounded ? ` ${confoundText(plan.contrasts[i])}` : '';
    return `${effectSentence(plan, effect, effects.length)}.${confound}`;
  });
  const more = effects.length - MOST_SENTENCES;
  if (more <= 0) return sentences;
  return [...sentences, `${more} more ${more === 1 ? 'contrast stands' : 'contrasts stand'} in the table.`];
}

/** One contrast in words, without a full stop: `batch=64KiB is 8.9 times as fast as batch=4KiB (95 % interval …)`. */
function effectSentence(plan: Plan, effect: EffectResult, contrasts: number): string {
  const { numerator: a, denominator: b, ratio, word, because } = effect;
  const { metric } = plan;
  const shown = evidence(effect, contrasts, metric);
  if (ratio === null || word === 'cannot be decided') {
    const seen = ratio === null ? '' : ` (seen so far: ${a} ÷ ${b} = ${ratioText(ratio)}, ${shown})`;
    return `${a} against ${b} cannot be decided: ${because}${seen}`;
  }
  if (word === 'higher') return `${higher(metric, a, b, ratio)} (${shown})`;
  if (word === 'lower') return `${lower(metric, a, b, ratio)} (${shown})`;
  const of = metric === 'rate' ? '' : ` in ${metricNoun(metric)}`;
  if (word === 'inconclusive')
    return `${a} against ${b} is inconclusive${of}: ${because}; ${a} ÷ ${b} = ${ratioText(ratio)} (${shown})`;
  return `${a} and ${b} differ by no more than ${percentText(plan.smallestEffectOfInterest)}${of}: ${a} ÷ ${b} = ${ratioText(ratio)} (${shown})`;
}

function higher(metric: Metric, a: string, b: string, ratio: number): string {
  if (metric === 'rate') return `${a} is ${ratioText(ratio)} times as fast as ${b}`;
  if (isLatency(metric))
    return `${a} has a higher ${metricNoun(metric)} than ${b}: ${ratioText(ratio)} times as long`;
  return `${a} has ${ratioText(ratio)} times ${theMetric(metric)} of ${b}`;
}

function lower(metric: Metric, a: string, b: string, ratio: number): string {
  if (isLatency(metric))
    return `${a} has a lower ${metricNoun(metric)} than ${b}: ${percentText(ratio)} of it`;
  return `${a} reaches ${percentText(ratio)} of ${theMetric(metric)} of ${b}`;
}

/** `95 % interval 8.5 to 9.3, 6 blocks, higher in 6 of 6`, in the unit of the sentence around it. */
function evidence(effect: EffectResult, contrasts: number, metric: Metric): string {
  const text = effect.word === 'lower' ? percentText : ratioText;
  const { simultaneous, n, higherIn, unit = 'block' } = effect;
  const kind = contrasts > 1 ? 'simultaneous 95 % interval' : '95 % interval';
  const interval =
    simultaneous === null ? [] : [`${kind} ${text(simultaneous.low)} to ${text(simultaneous.high)}`];
  const each = unit === 'lab' ? (effect.labRatios ?? []) : effect.ratios;
  const lowerIn = each.filter((r) => r.ratio < 1).length;
  const side = effect.word === 'lower' ? `lower in ${lowerIn} of ${n}` : `higher in ${higherIn} of ${n}`;
  const repeats =
    unit === 'lab'
      ? `${replicateText(n, 'lab')} of ${replicateText(effect.ratios.length, 'block')} in all`
      : replicateText(n, 'block');
  return [...interval, repeats, metric === 'rate' ? side : `${metricNoun(metric)} ${side}`].join(', ');
}

function confoundText(contrast: Contrast | undefined): string {
  const changes = Object.entries(contrast?.changes ?? {}).map(
    ([path, [from, to]]) => `${path} ${from} → ${to}`,
  );
  const list = changes.length === 0 ? '' : ` (${changes.join(', ')})`;
  return `More than one thing changed${list}: the difference cannot be put down to any one of them.`;
}

/** Failed ones by name, then inconclusive ones; those that passed are counted. */
function expectationSentences(expectations: readonly ExpectationResult[]): readonly string[] {
  if (expectations.length === 0) return [];
  const of = (outcome: ExpectationResult['outcome']) => expectations.filter((e) => e.outcome === outcome);
  const named = [...of('failed'), ...of('inconclusive')].map(
    (e) => `${e.text} ${e.outcome === 'failed' ? 'fails' : 'is inconclusive'}: ${e.because}.`,
  );
  const passed = of('passed').length;
  const all = expectations.length;
  return [
    `${passed} of ${all} ${all === 1 ? 'expectation' : 'expectations'} passed.`,
    ...named.slice(0, MOST_SENTENCES),
    ...(named.length > MOST_SENTENCES ? [`${named.length - MOST_SENTENCES} more did not pass.`] : []),
  ];
}

function scenariosAlone(scenarios: readonly ScenarioSummary[], metric: Metric): string {
  const seen = scenarios.map((s) => {
    const one = s.metrics?.find((m) => m.metric === metric);
    const value =
      one === undefined ? `no valid ${metricNoun(metric)}` : `median ${valueText(one.median, one.unit)}`;
    return `${s.scenario}: ${value} over ${replicateText(s.valid, 'block')}`;
  });
  return `Nothing is compared. ${seen.join('; ')}.`;
}
