import type { Contrast, Plan } from '../design/plan.ts';
import type { EffectResult, ScenarioSummary } from './analysis.ts';
import { countText, percentText, ratioText } from './format.ts';

/** More contrasts than this are left to the table. */
const MOST_SENTENCES = 3;

/** The answer to the question in plain sentences, intervals included; one for each contrast, and what a confound takes from it. */
export function answerText(
  plan: Plan,
  effects: readonly EffectResult[],
  scenarios: readonly ScenarioSummary[],
): string {
  if (effects.length === 0) return scenariosAlone(scenarios);
  const sentences = effects.slice(0, MOST_SENTENCES).map((effect, i) => {
    const confound = effect.confounded ? ` ${confoundText(plan.contrasts[i])}` : '';
    return `${effectSentence(effect, effects.length, plan.smallestEffectOfInterest)}.${confound}`;
  });
  const more = effects.length - MOST_SENTENCES;
  if (more > 0)
    sentences.push(`${more} more ${more === 1 ? 'contrast stands' : 'contrasts stand'} in the table.`);
  return sentences.join(' ');
}

/** One contrast in words, without a full stop: `batch=64KiB is 8.9 times as fast as batch=4KiB (95 % interval …)`. */
function effectSentence(effect: EffectResult, contrasts: number, margin: number): string {
  const { numerator: a, denominator: b, ratio, word, because } = effect;
  if (ratio === null || word === 'cannot be decided') {
    const seen =
      ratio === null
        ? ''
        : ` (seen so far: ${a} ÷ ${b} = ${ratioText(ratio)}, ${evidence(effect, contrasts)})`;
    return `${a} against ${b} cannot be decided: ${because}${seen}`;
  }
  const shown = evidence(effect, contrasts);
  if (word === 'higher') return `${a} is ${ratioText(ratio)} times as fast as ${b} (${shown})`;
  if (word === 'lower') return `${a} reaches ${percentText(ratio)} of the rate of ${b} (${shown})`;
  if (word === 'inconclusive')
    return `${a} against ${b} is inconclusive: ${because}; ${a} ÷ ${b} = ${ratioText(ratio)} (${shown})`;
  return `${a} and ${b} differ by no more than ${percentText(margin)}: ${a} ÷ ${b} = ${ratioText(ratio)} (${shown})`;
}

/** `95 % interval 8.5 to 9.3, 6 blocks, higher in 6 of 6`, in the unit of the sentence around it. */
function evidence(effect: EffectResult, contrasts: number): string {
  const text = effect.word === 'lower' ? percentText : ratioText;
  const { simultaneous, n, higherIn } = effect;
  const kind = contrasts > 1 ? 'simultaneous 95 % interval' : '95 % interval';
  const interval =
    simultaneous === null ? [] : [`${kind} ${text(simultaneous.low)} to ${text(simultaneous.high)}`];
  const lowerIn = effect.ratios.filter((r) => r.ratio < 1).length;
  const side = effect.word === 'lower' ? `lower in ${lowerIn} of ${n}` : `higher in ${higherIn} of ${n}`;
  return [...interval, `${n} ${n === 1 ? 'block' : 'blocks'}`, side].join(', ');
}

function confoundText(contrast: Contrast | undefined): string {
  const changes = Object.entries(contrast?.changes ?? {}).map(
    ([path, [from, to]]) => `${path} ${from} → ${to}`,
  );
  const list = changes.length === 0 ? '' : ` (${changes.join(', ')})`;
  return `More than one thing changed${list}: the difference cannot be put down to any one of them.`;
}

function scenariosAlone(scenarios: readonly ScenarioSummary[]): string {
  const seen = scenarios.map((s) => {
    const rate =
      s.medianRecordsPerS === null ? 'no valid trial' : `median ${countText(s.medianRecordsPerS)} records/s`;
    return `${s.scenario}: ${rate} over ${s.valid} blocks`;
  });
  return `Nothing is compared. ${seen.join('; ')}.`;
}
