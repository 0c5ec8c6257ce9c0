import { METRICS } from '../spec/schema.ts';
import type { Frozen, Metric } from '../design/plan.ts';
import type { Flag } from '../measure/reasons.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { MetricSummary, ScenarioSummary } from './analysis.ts';
import { measuredTrials, validCells } from './cells.ts';
import { mean, median, sampleSd } from './statistics/describe.ts';
import { reasonCounts, voidedAttempts } from './voiding.ts';

/** What a scenario's valid trials show. Descriptive: verdicts come from contrasts within blocks only. */
export function summarise(
  scenario: string,
  trials: readonly TrialRecord[],
  primary: Metric = 'rate',
  frozen: Frozen | null = null,
): ScenarioSummary {
  const metrics = [primary, ...METRICS.filter((m) => m !== primary)].flatMap((metric) => {
    const one = summariseMetric(scenario, trials, metric);
    return one === null ? [] : [one];
  });
  const voided = voidedAttempts(trials, scenario);
  const rate = metrics.find((m) => m.metric === 'rate');
  const bytes = metrics.find((m) => m.metric === 'byteRate');
  return {
    scenario,
    valid: validBlocks(trials, scenario),
    voided: voided.length,
    medianRecordsPerS: rate?.median ?? null,
    medianBytesPerS: bytes?.median ?? null,
    minRecordsPerS: rate?.min ?? null,
    maxRecordsPerS: rate?.max ?? null,
    cv: rate?.cv ?? null,
    reasons: reasonCounts(voided),
    metrics,
    leftOut: frozen?.leftOut?.[scenario] ?? null,
  };
}

function summariseMetric(
  scenario: string,
  trials: readonly TrialRecord[],
  metric: Metric,
): MetricSummary | null {
  const cells = [...validCells(trials, scenario, metric).values()];
  const [first] = cells;
  if (first === undefined) return null;
  const values = cells.map((c) => c.value);
  return {
    metric,
    unit: first.unit,
    over: [...new Set(cells.map((c) => c.over))],
    n: values.length,
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    cv: values.length >= 2 ? sampleSd(values) / mean(values) : null,
  };
}

/** Blocks in which the scenario has a valid trial. */
function validBlocks(trials: readonly TrialRecord[], scenario: string): number {
  const valid = measuredTrials(trials).filter((t) => t.scenario === scenario && t.verdict.valid);
  return new Set(valid.map((t) => t.block)).size;
}

/** The flags of valid trials, one for each code: in how many trials, by scenario, and what the first of them says. */
export function trialFlags(trials: readonly TrialRecord[]): readonly Flag[] {
  const valid = measuredTrials(trials).filter((t) => t.verdict.valid);
  const seen = valid.flatMap((t) => t.verdict.flags.map((flag) => ({ flag, trial: t })));
  const codes = [...new Set(seen.map((s) => s.flag.code))];
  return codes.map((code) => {
    const hits = seen.filter((s) => s.flag.code === code);
    const flagged = new Set(hits.map((h) => h.trial.id));
    const where = [...new Set(hits.map((h) => h.trial.scenario))].map((scenario) => {
      const ids = new Set(hits.filter((h) => h.trial.scenario === scenario).map((h) => h.trial.id));
      return `${scenario} ${ids.size}`;
    });
    const example = hits[0]?.flag.message ?? '';
    return {
      code,
      message: `in ${flagged.size} of ${valid.length} valid trials (${where.join(', ')}), e.g. ${example}`,
    };
  });
}
