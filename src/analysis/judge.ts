import type { Metric, SearchCondition } from '../design/plan.ts';
import type { MetricValue, TrialRecord } from '../measure/trial-record.ts';
import { metricNoun, valueText } from './metrics.ts';

/** How one trial at a rate came out. */
export interface Judged {
  /** `failed`: it ran and did not hold the conditions, or the system gave up at this rate. `unknown`: it says nothing about the rate. */
  readonly outcome: 'passed' | 'failed' | 'unknown';
  readonly because: string;
}

const MAXIMA = [
  ['p50MaxMs', 'p50'],
  ['p95MaxMs', 'p95'],
  ['p99MaxMs', 'p99'],
  ['p999MaxMs', 'p999'],
] as const satisfies readonly (readonly [keyof SearchCondition, Metric])[];
type Percentile = (typeof MAXIMA)[number][1];

/**
 * Judges a trial by the conditions of a search. A void trial says nothing about the rate, except where the system under test
 * itself gave up (lost records, timeouts, a follower that fell out): that is a failure at this rate.
 */
export function judge(trial: TrialRecord, pass: SearchCondition): Judged {
  if (!trial.verdict.valid) {
    const { reasons } = trial.verdict;
    const own = reasons.length > 0 && reasons.every((r) => r.class === 'system-under-test');
    const because = reasons.map((r) => r.message).join('; ') || 'void without a reason';
    return { outcome: own ? 'failed' : 'unknown', because };
  }
  const checks = [
    ...(pass.achievedMin === undefined ? [] : [achievedAtLeast(trial, pass.achievedMin)]),
    ...MAXIMA.flatMap(([key, metric]) => {
      const limitMs = pass[key];
      return limitMs === undefined ? [] : [latencyAtMost(trial, metric, limitMs)];
    }),
  ];
  const worst = (['failed', 'unknown', 'passed'] as const).find((o) => checks.some((c) => c.outcome === o));
  const outcome = worst ?? 'unknown';
  const said = checks.filter((c) => c.outcome === outcome).map((c) => c.because);
  return { outcome, because: said.join(', ') };
}

function achievedAtLeast(trial: TrialRecord, least: number): Judged {
  const found = trial.values?.achieved;
  if (found?.value == null) return nothing('achieved', found);
  const because = `achieved ${valueText(found.value, 'share')} (at least ${valueText(least, 'share')})`;
  return { outcome: found.value >= least ? 'passed' : 'failed', because };
}

/** Over several producers a percentile has bounds only: the pooled one lies between the lowest and the highest of theirs. */
function latencyAtMost(trial: TrialRecord, metric: Percentile, limitMs: number): Judged {
  const found = trial.values?.[metric];
  const bounds = found?.value == null ? boundsOf(trial, metric, found) : [found.value, found.value];
  const [low, high] = bounds ?? [];
  if (low === undefined || high === undefined) return nothing(metric, found);
  const seen = low === high ? `${low} ms` : `${low} to ${high} ms`;
  const because = `${metricNoun(metric)} ${seen} (at most ${limitMs} ms)`;
  if (high <= limitMs) return { outcome: 'passed', because };
  return { outcome: low > limitMs ? 'failed' : 'unknown', because };
}

function boundsOf(
  trial: TrialRecord,
  metric: Percentile,
  found: MetricValue | undefined,
): readonly [number, number] | null {
  const each = trial.loads
    .filter((l) => found?.loads.includes(l.name))
    .map((l) => l.latencyMs?.[metric] ?? null);
  if (each.length < 2 || each.includes(null)) return null;
  const known = each.flatMap((ms) => ms ?? []);
  return [Math.min(...known), Math.max(...known)];
}

function nothing(metric: Metric, found: MetricValue | undefined): Judged {
  const because = `no ${metricNoun(metric)}: ${found?.why ?? 'the record has none'}`;
  return { outcome: 'unknown', because };
}

/** The conditions in words: `achieved ≥ 99.5 %, p99 ≤ 50 ms`. */
export function conditionText(pass: SearchCondition): string {
  return [
    ...(pass.achievedMin === undefined ? [] : [`achieved ≥ ${valueText(pass.achievedMin, 'share')}`]),
    ...MAXIMA.flatMap(([key, metric]) =>
      pass[key] === undefined ? [] : [`${metricNoun(metric)} ≤ ${pass[key]} ms`],
    ),
  ].join(', ');
}
