import type { Metric, Spec } from '../spec/schema.ts';
import { levelsOf } from '../spec/levels.ts';
import { type AdviceInput, producersOf, speaksOf } from './advice-input.ts';
import { listed } from './amounts.ts';
import { heldByLimit } from './held-metric.ts';
import type { Advice } from './plan.ts';
import { LATENCIES } from './precision.ts';

const LATENCY = /latenc\w*|\bp(50|95|99|999|99\.9)\b|percentiles?|response time|milliseconds?/i;

/**
 * Latency and the rate behind it: a producer without a limit fills its own buffer, and its latency is the time that
 * records queue there (facts: statistics).
 */
export function onLatency(input: AdviceInput): readonly Advice[] {
  const { spec } = input;
  const asked = LATENCIES.find(
    (metric) => spec.metric === metric || (spec.expect ?? []).some((e) => e.metric === metric),
  );
  const word = speaksOf(spec, LATENCY);
  return [
    ...onNoLimit(input, asked, word),
    ...(asked === undefined ? [] : [...onSeveral(input, asked), ...onUnequalRates(input)]),
    ...(asked === undefined && !searchesLatency(spec) ? [] : [WHOLE_MS]),
    ...onFixedExpectations(input),
    ...onNoLatencyMetric(input, asked, word),
    ...onAchieved(input),
  ];
}

/** Differences smaller than a step cannot be seen. */
const WHOLE_MS: Advice = {
  code: 'whole-ms',
  message:
    'The perf tool gives latencies in whole ms: at a p99 of 4 ms one step is 25 %, and smaller differences do not show, however narrow an interval is.',
};

function searchesLatency({ search }: Spec): boolean {
  return (['p50', 'p95', 'p99', 'p999'] as const).some((name) => search?.pass[name] !== undefined);
}

/** A rate that is asked for is reached or not; a bound of it says nothing else. */
function onFixedExpectations(input: AdviceInput): readonly Advice[] {
  const { spec } = input;
  const producers = producersOf(input);
  if (producers.length === 0 || unlimited(input).length > 0) return [];
  const reads = input.scenarios.some(({ scenario }) => scenario.loads.some((l) => l.kind === 'consumer'));
  const fixed: readonly Metric[] = reads ? ['produceRate'] : ['rate', 'byteRate', 'produceRate'];
  return (spec.expect ?? []).flatMap(({ metric, of }, i): readonly Advice[] => {
    if (!fixed.includes(metric)) return [];
    const message = `expect.${i} speaks of the ${metric} of ${of}, and every producer has a rate limit: it can only say whether the limit was kept. Write metric: achieved with min: 99%, or metric: p99 with max: 50ms.`;
    return [{ code: 'expect-rate-is-fixed', message }];
  });
}

function unlimited(input: AdviceInput): readonly string[] {
  return [
    ...new Set(producersOf(input).flatMap(({ name, load }) => (load.rate.kind === 'max' ? [name] : []))),
  ];
}

function onNoLimit(input: AdviceInput, asked: Metric | undefined, word: string | null): readonly Advice[] {
  const free = unlimited(input);
  // A capacity search sets the rate itself.
  const searched = input.spec.search?.set.split('.')[1];
  if ((asked === undefined && word === null) || free.every((name) => name === searched)) return [];
  const what = asked === undefined ? `The spec speaks of "${word ?? ''}"` : `${asked} is asked for`;
  const message = `${what}, and ${listed(free.map((n) => `producers.${n}`))} has no rate limit: latency is then the time that records queue in the client's own buffer, and gets no verdict. Write producers.${free[0] ?? 'p'}.rate: 5k/s, or another rate that every scenario can keep.`;
  return [{ code: 'latency-unlimited', message }];
}

/** Percentiles of several loads can only be bounded. */
function onSeveral({ scenarios, spec }: AdviceInput, asked: Metric): readonly Advice[] {
  const many = scenarios.find((s) => s.scenario.loads.filter((l) => l.kind === 'producer').length > 1);
  if (many === undefined) return [];
  const message = `${many.scenario.slug} has several producer loads, and percentiles of several can only be bounded: ${asked} has no value there. Measure one producer with one process${spec.metric === asked ? ', or write metric: produceRate' : ''}.`;
  return [{ code: 'latency-of-several', message }];
}

/** Latencies at different rates are different things. */
function onUnequalRates({ contrasts, scenarios, spec }: AdviceInput): readonly Advice[] {
  if (!LATENCIES.includes(spec.metric)) return [];
  const rateOf = (slug: string): string =>
    JSON.stringify(
      scenarios
        .find((s) => s.scenario.slug === slug)
        ?.scenario.loads.flatMap((l) => (l.kind === 'producer' ? [l.recordsPerS] : [])),
    );
  const unequal = contrasts.filter((c) => rateOf(c.numerator) !== rateOf(c.denominator));
  const [first] = unequal;
  if (first === undefined) return [];
  const message = `${first.name} compares ${spec.metric} at different asked rates${unequal.length > 1 ? ` (as ${unequal.length - 1} more contrasts do)` : ''}, which gets no verdict. Write metric: achieved to ask which rates are kept, or contrasts of scenarios with the same rate.`;
  return [{ code: 'latency-unequal-rates', message }];
}

function onNoLatencyMetric(
  input: AdviceInput,
  asked: Metric | undefined,
  word: string | null,
): readonly Advice[] {
  const { spec } = input;
  const kept = unlimited(input).length === 0 && producersOf(input).length > 0;
  const plain = input.scenarios.map(({ scenario }) => scenario);
  if (asked !== undefined || !kept || spec.search !== undefined) return [];
  if (!heldByLimit(spec.metric, plain)) return [];
  // Which of several rates are kept is a question that achieved answers.
  if (spec.metric === 'achieved' && variesRate(spec)) return [];
  const message = `Every producer has a rate limit, so ${spec.metric} can only say whether it was kept${word === null ? '' : `, and the spec speaks of "${word}"`}. Write metric: p99 (or p50) to compare latency at that rate.`;
  return [{ code: 'rate-is-fixed', message }];
}

function variesRate({ factors }: Spec): boolean {
  const paths = Object.values(factors).flatMap((factor) => levelsOf(factor).flatMap(({ sets }) => sets));
  return paths.some(([path]) => /^producers\.[^.]+\.rate$/.test(path));
}

function onAchieved(input: AdviceInput): readonly Advice[] {
  const { spec } = input;
  const asked = spec.metric === 'achieved' || (spec.expect ?? []).some((e) => e.metric === 'achieved');
  const series = Object.entries(spec.factors).find(([, factor]) => factor.while !== undefined)?.[0];
  const free = unlimited(input);
  if (free.length === 0 || (!asked && series === undefined)) return [];
  const who = asked ? 'The metric achieved' : `The series of factor "${series ?? ''}"`;
  const message = `${who} compares with the asked rate, and ${listed(free.map((n) => `producers.${n}`))} asks for none. Write producers.${free[0] ?? 'p'}.rate.`;
  return [{ code: 'achieved-unlimited', message }];
}
