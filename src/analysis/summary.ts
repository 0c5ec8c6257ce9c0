import type { Flag } from '../measure/reasons.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { ScenarioSummary } from './analysis.ts';
import { measuredTrials, validCells } from './cells.ts';
import { mean, median, sampleSd } from './statistics/describe.ts';
import { reasonCounts, voidedAttempts } from './voiding.ts';

/** What a scenario's valid trials show. Descriptive: verdicts come from contrasts within blocks only. */
export function summarise(scenario: string, trials: readonly TrialRecord[]): ScenarioSummary {
  const cells = [...validCells(trials, scenario).values()];
  const rates = cells.map((c) => c.recordsPerS);
  const voided = voidedAttempts(trials, scenario);
  const some = rates.length > 0;
  return {
    scenario,
    valid: cells.length,
    voided: voided.length,
    medianRecordsPerS: some ? median(rates) : null,
    medianBytesPerS: some ? median(cells.map((c) => c.bytesPerS)) : null,
    minRecordsPerS: some ? Math.min(...rates) : null,
    maxRecordsPerS: some ? Math.max(...rates) : null,
    cv: rates.length >= 2 ? sampleSd(rates) / mean(rates) : null,
    reasons: reasonCounts(voided),
  };
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
