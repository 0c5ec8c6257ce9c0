import type { AdviceInput } from './advice-input.ts';
import { counted } from './amounts.ts';
import { fewestBlocks } from './order.ts';
import type { Advice, Contrast } from './plan.ts';

/** Whether the comparisons can be made, and what a difference could be put down to. */
export function onContrasts(input: AdviceInput): readonly Advice[] {
  const { contrasts, scenarios, spec } = input;
  const alone: readonly Advice[] =
    scenarios.length < 2 && spec.search === undefined
      ? [
          {
            code: 'nothing-to-compare',
            message: 'There is one scenario only: rates will be shown, and nothing is compared.',
          },
        ]
      : [];
  return [
    ...alone,
    ...onBlocks(input),
    ...contrasts.flatMap((contrast) => [...onConfounded(contrast), ...onIncomparable(input, contrast)]),
  ];
}

function onBlocks({ contrasts, blocks }: AdviceInput): readonly Advice[] {
  const fewest = fewestBlocks(contrasts.length);
  if (contrasts.length === 0 || blocks >= fewest) return [];
  const message = `With ${counted(blocks, 'block')} the exact test of ${counted(contrasts.length, 'contrast')} cannot reach 5 %; no verdict "higher" or "lower" is possible. Write design.blocks: ${fewest}${contrasts.length > 1 ? ', or name fewer contrasts' : ''}.`;
  return [{ code: 'cannot-reach-alpha', message }];
}

function onConfounded({ name, changes, implied = {}, confounded }: Contrast): readonly Advice[] {
  if (!confounded) return [];
  const paths = Object.entries(changes).map(
    ([path, [from, to]]) => `${path} ${from} → ${to}${path in implied ? ', by itself' : ''}`,
  );
  const pin = Object.keys(implied).find((path) => path.endsWith('.enable.idempotence'));
  const fix =
    pin === undefined
      ? 'Vary them in factors of their own, or read the difference as that of all of them together.'
      : `Write ${pin}: false to vary one thing.`;
  const message = `${name} changes ${paths.length} settings (${paths.join('; ')}): a difference cannot be put down to one of them. ${fix}`;
  return [{ code: 'confounded', message }];
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
      ? `Leave it out: write contrasts: with pairs that share loads.`
      : `Write metric: ${metric}.`;
  const message = `${contrast.name} gets no verdict: ${contrast.incomparable}. ${fix}`;
  return [{ code: 'incomparable', message }];
}
