import { z } from 'zod';
import { duration, line, rate, share, whole } from '../values.ts';
import { closest } from '../did-you-mean.ts';
import { cronProblems } from '../cron.ts';
import { zoneProblem } from '../time-zone.ts';
import { type Bound, readBound, writtenShare } from '../units.ts';

/** What can be the primary metric, and what an expectation speaks of. */
export const METRICS = [
  'rate',
  'byteRate',
  'produceRate',
  'consumeRate',
  'achieved',
  'p50',
  'p95',
  'p99',
  'p999',
] as const;
export type Metric = (typeof METRICS)[number];

/** `60MiB/s`, `20k/s`, `50ms`, `99.5%` or a bare ratio. */
const bound = z
  .union([z.string(), z.number()], { error: 'Expected a bound: 60MiB/s, 20k/s, 50ms, 99.5% or a ratio.' })
  .meta({ writtenAs: 'bound' })
  .transform((written, context) => {
    const read = readBound(written);
    if (read.ok) return read.value;
    context.addIssue({ code: 'custom', message: read.message, params: { code: 'wrong-unit' } });
    return z.NEVER;
  });

/** What others call the metrics. */
const METRIC_WORDS: Readonly<Record<string, Metric>> = {
  'p99.9': 'p999',
  median: 'p50',
  latency: 'p99',
  throughput: 'rate',
  'records/s': 'rate',
  bandwidth: 'byteRate',
};

const metricName = z.enum(METRICS, {
  error: ({ input }) => {
    const word = String(input).toLowerCase();
    const meant = Object.hasOwn(METRIC_WORDS, word) ? METRIC_WORDS[word] : closest(word, METRICS);
    return `Expected one of ${METRICS.join(', ')}.${meant == null ? '' : ` "${meant}"?`}`;
  },
});

export const metric = metricName
  .default('rate')
  .describe('the one metric that gets a verdict; the others are shown beside it');

/** A section of one latency. */
function atMost(name: string) {
  return z.strictObject(
    { max: duration(1).describe('at most this latency') },
    { error: ({ input }) => `Expected a section; write ${name}: { max: ${plain(input, '50ms')} }.` },
  );
}

/** What stands in place of a section, where it can stand inside it. */
function plain(input: unknown, otherwise: string): string {
  return typeof input === 'string' && /^[\d.]+\s*(ms|s|m|%)$/.test(input) ? input : otherwise;
}

const passes = z
  .strictObject({
    achieved: z
      .strictObject(
        { min: share(1).describe('at least this share of the asked rate') },
        { error: ({ input }) => `Expected a section; write achieved: { min: ${plain(input, '99.5%')} }.` },
      )
      .optional()
      .describe('steady rate ÷ asked rate'),
    p50: atMost('p50').optional().describe('latency: the median'),
    p95: atMost('p95').optional().describe('latency: the 95th percentile'),
    p99: atMost('p99').optional().describe('latency: the 99th percentile'),
    p999: atMost('p999').optional().describe('latency: the 99.9th percentile'),
  })
  .refine((given) => Object.values(given).some((one) => one !== undefined), {
    error: 'A search needs at least one condition, e.g. achieved: { min: 99.5% }.',
  });

/** The highest rate that still passes. */
export const search = z
  .strictObject({
    set: z
      .string({ error: 'Expected the path of a rate, e.g. producers.p.rate.' })
      .describe('the rate that is searched: producers.p.rate'),
    from: rate().describe('the lowest rate tried,'),
    to: rate().describe('and the highest'),
    resolution: share(0.5, 0.001)
      .prefault('3%')
      .describe('how finely; also the step of the grid around the candidate'),
    pass: passes.describe('what a rate must keep to pass; all of them'),
    confirm: whole(3, 100).default(6).describe('blocks in which the grid around the candidate is run'),
  })
  .superRefine(({ from, to }, context) => {
    const say = (message: string): void => {
      context.addIssue({ code: 'custom', path: ['from'], message, params: { code: 'contradiction' } });
    };
    if (from.kind === 'max' || to.kind === 'max')
      say('A search goes from one rate to another, e.g. from: 20k/s, to: 300k/s.');
    else if (from.kind !== to.kind)
      say('from and to are given in different units; use records/s in both, or bytes/s.');
    else {
      const [low, high] = [perSecond(from), perSecond(to)];
      if (low >= high) say('from is not below to: there is nothing to search between them.');
    }
  });

function perSecond(
  given: { kind: 'records'; recordsPerS: number } | { kind: 'bytes'; bytesPerS: number },
): number {
  return given.kind === 'records' ? given.recordsPerS : given.bytesPerS;
}

/** When it runs by itself; `assay schedule` hands it to Temporal. */
export const schedule = z.strictObject({
  cron: z
    .string({ error: 'Expected a cron line, e.g. 30 2 * * *.' })
    .trim()
    .superRefine((line, context) => {
      for (const message of cronProblems(line)) context.addIssue({ code: 'custom', message });
    })
    .meta({ pattern: String.raw`^(@[a-z]+|\S+(\s+\S+){4,6})$` })
    .describe('minute, hour, day of month, month, day of week, e.g. 30 2 * * *'),
  zone: z
    .string({ error: 'Expected a time zone such as Europe/Berlin.' })
    .superRefine((zone, context) => {
      const message = zoneProblem(zone);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .default('UTC')
    .describe('time zone, e.g. Europe/Berlin'),
  overlap: z
    .enum(['skip', 'bufferOne', 'bufferAll', 'allowAll'], {
      error: 'Expected skip, bufferOne, bufferAll or allowAll.',
    })
    .default('skip')
    .describe('when the one before still runs: skip, bufferOne, bufferAll or allowAll'),
  catchUp: duration(10_000, 8_760 * 3_600_000)
    .prefault('1h')
    .describe('how late a missed run is still made up for'),
  jitter: duration().prefault('0s').describe('a random delay up to this'),
});

/** Pass: the whole interval is inside; fail: the whole interval is outside; else inconclusive. */
export const expectation = z
  .strictObject({
    metric: metricName
      .optional()
      // What is left out has been filled in with the metric of the spec (levels.ts).
      .transform((given): Metric => given ?? 'rate')
      .describe('what is expected of; left out = the metric of the spec'),
    of: line(100).describe(
      'a scenario: its slug, its name, baseline, or the one level in which it differs from the baseline',
    ),
    versus: line(100).optional().describe('another scenario: then the bounds are of the ratio of the two'),
    min: bound.optional().describe('e.g. 60MiB/s, 20k/s, 50ms, 99.5%; beside versus a ratio such as 1.2'),
    max: bound.optional().describe('likewise'),
  })
  .superRefine((given, context) => {
    const say = (path: string[], message: string, code = 'contradiction'): void => {
      context.addIssue({ code: 'custom', path, message, params: { code } });
    };
    if (given.min === undefined && given.max === undefined)
      say([], 'An expectation needs min, max or both, e.g. min: 60MiB/s.', 'missing');
    for (const key of ['min', 'max'] as const) {
      const at = given[key];
      if (at !== undefined) boundFits(given.metric, given.versus !== undefined, at, (m) => say([key], m));
    }
    if (given.min && given.max && given.min.value >= given.max.value)
      say(['min'], 'min is not below max: nothing could ever pass.');
  });

const KINDS: Readonly<Record<Metric, readonly string[]>> = {
  rate: ['records/s', 'bytes/s'],
  byteRate: ['bytes/s'],
  produceRate: ['records/s', 'bytes/s'],
  consumeRate: ['records/s', 'bytes/s'],
  achieved: ['share'],
  p50: ['ms'],
  p95: ['ms'],
  p99: ['ms'],
  p999: ['ms'],
};
const EXAMPLES: Readonly<Record<string, string>> = {
  'records/s': '20k/s',
  'bytes/s': '60MiB/s',
  ms: '50ms',
  share: '99.5%',
};

function boundFits(metric: Metric, versus: boolean, bound: Bound, say: (message: string) => void): void {
  const { kind, value } = bound;
  if (versus) {
    if (kind === 'share')
      say(
        `Against another scenario write a ratio, e.g. ${Number(value.toPrecision(10))} (you wrote ${writtenShare(value)}).`,
      );
    else if (kind !== 'ratio') say('Against another scenario a bound is a ratio, e.g. 1.2.');
  } else if (!KINDS[metric].includes(kind))
    say(`A bound of ${metric} is written like ${KINDS[metric].map((k) => EXAMPLES[k] ?? k).join(' or ')}.`);
}
