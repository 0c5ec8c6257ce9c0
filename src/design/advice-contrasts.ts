import { levelsOf } from '../spec/levels.ts';
import type { AdviceInput } from './advice-input.ts';
import { counted } from './amounts.ts';
import { fewestBlocks } from './order.ts';
import type { Advice, Contrast } from './plan.ts';

/** So many confounded contrasts are told one by one. */
const MOST_APART = 2;

/** Whether the comparisons can be made, and what a difference could be put down to. */
export function onContrasts(input: AdviceInput): readonly Advice[] {
  const { contrasts } = input;
  return [
    ...onNothing(input),
    ...onBlocks(input),
    ...onConfounded(input),
    ...contrasts.flatMap((contrast) => onIncomparable(input, contrast)),
  ];
}

/** A search compares nothing, and says so by what it is. */
function onNothing({ contrasts, scenarios, spec }: AdviceInput): readonly Advice[] {
  if (spec.search !== undefined || (contrasts.length > 0 && scenarios.length > 1)) return [];
  const why =
    scenarios.length < 2 ? 'There is one scenario only' : 'No contrast has both of its scenarios here';
  const message = `${why}: rates will be shown, and nothing is compared.`;
  return [{ code: 'nothing-to-compare', message }];
}

function onBlocks(input: AdviceInput): readonly Advice[] {
  const { contrasts, blocks } = input;
  const fewest = fewestBlocks(contrasts.length);
  if (contrasts.length === 0) return [];
  if (blocks >= fewest) return onOddBlocks(input);
  const message = `With ${counted(blocks, 'block')} the exact test of ${counted(contrasts.length, 'contrast')} cannot reach 5 %; no verdict "higher" or "lower" is possible. Write design.blocks: ${fewest}${contrasts.length > 1 ? ', or name fewer contrasts' : ''}.`;
  return [{ code: 'cannot-reach-alpha', message }];
}

/** Two scenarios are each first equally often in an even number of blocks only. */
function onOddBlocks({ scenarios, blocks, until }: AdviceInput): readonly Advice[] {
  // A stopping rule ends where it ends.
  if (scenarios.length !== 2 || blocks % 2 === 0 || until !== null) return [];
  const fewer = (blocks - 1) / 2;
  const message = `In ${blocks} blocks one of the two scenarios is first ${fewer + 1} times and the other ${fewer} times. Write design.blocks: ${blocks + 1}, so that each is first equally often.`;
  return [{ code: 'odd-blocks', message }];
}

/** One remark for up to two of them, one for all beyond: crossing factors makes many at once. */
function onConfounded(input: AdviceInput): readonly Advice[] {
  const mixed = input.contrasts.filter((c) => c.confounded && c.incomparable === undefined);
  if (mixed.length <= MOST_APART) return mixed.map((contrast) => confounded(input, contrast));
  const [first] = mixed;
  if (first === undefined) return [];
  const message = `${mixed.length} of ${input.contrasts.length} contrasts change more than one setting (${first.name}: ${changed(first).join('; ')}): their differences cannot be put down to one of them. ${pairsText(input, mixed)}`;
  return [{ code: 'confounded', message }];
}

function confounded(input: AdviceInput, contrast: Contrast): Advice {
  const paths = changed(contrast);
  const pin = Object.keys(contrast.implied ?? {}).find((path) => path.endsWith('.enable.idempotence'));
  const fix = pin === undefined ? pairsText(input, [contrast]) : `Write ${pin}: false to vary one thing.`;
  const message = `${contrast.name} changes ${paths.length} settings (${paths.join('; ')}): a difference cannot be put down to one of them. ${fix}`;
  return { code: 'confounded', message };
}

function changed({ changes, implied = {} }: Contrast): readonly string[] {
  return Object.entries(changes).map(
    ([path, [from, to]]) => `${path} ${from} → ${to}${path in implied ? ', by itself' : ''}`,
  );
}

/** Pairs of this spec that differ in the level of one factor, where crossing has made some. */
function pairsText(input: AdviceInput, mixed: readonly Contrast[]): string {
  const pairs = mixed.flatMap(({ numerator }) => {
    const partner = neighbour(input, numerator);
    if (partner === undefined) return [];
    const [over, under] = laterFirst(input, numerator, partner);
    return [`["${over}", "${under}"]`];
  });
  return pairs.length === 0
    ? 'Vary them in factors of their own, or read the difference as that of all of them together.'
    : `Name pairs that differ in one factor, e.g. contrasts: [${pairs.slice(0, 2).join(', ')}].`;
}

/** The one with the later level is the numerator: the other is nearer to the baseline. */
function laterFirst(
  { spec, scenarios }: AdviceInput,
  a: string,
  b: string,
): readonly [over: string, under: string] {
  const place = (slug: string): readonly number[] => {
    const levels = scenarios.find((s) => s.scenario.slug === slug)?.scenario.levels ?? {};
    return Object.entries(spec.factors).map(([name, factor]) =>
      levelsOf(factor).findIndex(({ label }) => label === levels[name]),
    );
  };
  const [left, right] = [place(a), place(b)];
  const apart = left.findIndex((at, i) => at !== right[i]);
  return (left[apart] ?? 0) >= (right[apart] ?? 0) ? [a, b] : [b, a];
}

function neighbour({ scenarios, spec }: AdviceInput, slug: string): string | undefined {
  const levels = scenarios.find((s) => s.scenario.slug === slug)?.scenario.levels ?? {};
  return scenarios.find(({ scenario }) => {
    const apart = Object.keys(spec.factors).filter((name) => scenario.levels[name] !== levels[name]);
    // Named levels may couple settings: then two things would change again.
    return apart.length === 1 && Array.isArray(spec.factors[apart[0] ?? '']?.levels);
  })?.scenario.slug;
}

/** Suggests the metric in which the two have a common measure, where there is one. */
function onIncomparable({ spec, scenarios }: AdviceInput, contrast: Contrast): readonly Advice[] {
  if (contrast.incomparable === undefined) return [];
  const kinds = [contrast.numerator, contrast.denominator].map(
    (slug) =>
      new Set(scenarios.find((s) => s.scenario.slug === slug)?.scenario.loads.map((load) => load.kind)),
  );
  const shared = (['producer', 'consumer'] as const).filter((kind) => kinds.every((k) => k.has(kind)));
  const metric = shared.map((kind) => (kind === 'producer' ? 'produceRate' : 'consumeRate')).at(0);
  const fix =
    metric === undefined || metric === spec.metric
      ? 'Leave this pair out of contrasts.'
      : `Write metric: ${metric}.`;
  const message = `${contrast.name} gets no verdict: ${contrast.incomparable}. ${fix}`;
  return [{ code: 'incomparable', message }];
}
