import { levelsOf } from '../spec/levels.ts';
import { enumerateScenarios, firstLevels, MAX_SCENARIOS } from '../spec/scenarios.ts';
import type { Spec } from '../spec/schema.ts';
import type { AdviceInput } from './advice-input.ts';
import { bytesIn, counted, listed } from './amounts.ts';
import { estimatesOf } from './estimates.ts';
import type { Advice, PayloadPlan } from './plan.ts';
import { expectationsOf } from './questions.ts';

/** Which combinations of levels run, and whether what runs is asked about. */
export function onCombinations(
  input: AdviceInput,
  payloads: readonly PayloadPlan[],
  trials: number,
): readonly Advice[] {
  return [...onVariedAlone(input.spec), ...onNotCompared(input, payloads, trials)];
}

/** Factors that are varied one at a time answer no question about their combination. */
function onVariedAlone(spec: Spec): readonly Advice[] {
  // What --only leaves out says nothing about the spec.
  if (spec.only !== undefined) return [];
  const base = firstLevels(spec);
  const { scenarios } = enumerateScenarios(spec);
  return unions(spec).flatMap((union): readonly Advice[] => {
    // A conditional factor stands beside the level that it needs in any case.
    const names = union.filter((name) => spec.factors[name]?.when === undefined);
    const changed = (levels: Readonly<Record<string, string>>) =>
      names.filter((name) => (levels[name] ?? base[name]) !== base[name]);
    if (names.length < 2 || scenarios.some(({ levels }) => changed(levels).length > 1)) return [];
    const meant = names.map((name) => [name, levelMeant(spec, name)] as const);
    const together = meant.map(([name, label]) => `${name}=${label}`);
    const message = `No scenario combines ${listed(together, together.length)}: each factor is varied alone. To run combinations write ${combinationText(spec, meant)}, or one factor whose levels set several things.`;
    return [{ code: 'never-combined', message }];
  });
}

/** The factors of each rule that varies them one at a time. */
function unions(spec: Spec): readonly (readonly string[])[] {
  const items = spec.scenarios ?? [{ vary: Object.keys(spec.factors) }];
  return items.flatMap((item) => ('vary' in item && Array.isArray(item.vary) ? [item.vary.map(String)] : []));
}

/** The level that the question names, else the first that is not the baseline. */
function levelMeant(spec: Spec, name: string): string {
  const factor = spec.factors[name];
  const labels = factor === undefined ? [] : levelsOf(factor).map(({ label }) => label);
  const words = spec.question.toLowerCase().split(/[\s,;:?!]+/);
  const others = labels.slice(1);
  return others.find((label) => words.includes(label.toLowerCase())) ?? others[0] ?? '';
}

/** All combinations, or where they are too many this one beside those that run. */
function combinationText(spec: Spec, meant: readonly (readonly [name: string, label: string])[]): string {
  const names = meant.map(([name]) => name).join(', ');
  const size = meant.reduce((product, [name]) => {
    const factor = spec.factors[name];
    return product * (factor === undefined ? 1 : levelsOf(factor).length);
  }, 1);
  if (size <= MAX_SCENARIOS) return `scenarios: [{ cross: [${names}] }]`;
  return `scenarios: [{ vary: [${names}] }, { ${meant.map((pair) => pair.join(': ')).join(', ')} }]`;
}

/** Scenarios of which nothing is asked, with what they cost. */
function onNotCompared(
  { spec, scenarios, contrasts, blocks }: AdviceInput,
  payloads: readonly PayloadPlan[],
  trials: number,
): readonly Advice[] {
  // Where nothing at all is compared that is said in other words; a search compares nothing.
  if (contrasts.length === 0) return [];
  const asked = new Set([
    ...contrasts.flatMap(({ numerator, denominator }) => [numerator, denominator]),
    ...expectationsOf(spec).flatMap(({ of, versus }) => [of, versus]),
  ]);
  const idle = scenarios.map(({ scenario }) => scenario).filter(({ slug }) => !asked.has(slug));
  if (idle.length === 0) return [];
  const cost = estimatesOf({
    spec,
    scenarios: idle,
    payloads,
    blocks,
    maxPasses: spec.design.warmup === 'auto' ? 3 : spec.design.warmup.passes,
    contrasts: contrasts.length,
    search: null,
  });
  const [is, it, takes] = idle.length === 1 ? ['is', 'it', 'takes'] : ['are', 'them', 'take'];
  const names = listed(
    idle.map(({ slug }) => slug),
    5,
  );
  const message = `${names} ${is} in no contrast and compared with nothing, and ${takes} ${cost.trials} of ${counted(trials, 'trial')}, up to ${bytesIn(cost.writtenBytes.high)} of writes. Name ${it} in contrasts, or leave ${it} out of scenarios; what is only to be shown may stay.`;
  return [{ code: 'not-compared', message }];
}
