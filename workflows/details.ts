import type { PlanBrief } from '../activities/contract.ts';
import { NOT_A_MEASUREMENT } from '../src/design/smoke.ts';
import type { ExperimentPhase, RecentTrial } from '../src/temporal/status.ts';

/** What the Temporal UI shows of a running experiment. */
export interface Shown {
  readonly plan: PlanBrief | null;
  readonly phase: ExperimentPhase;
  readonly message: string;
  readonly trialsDone: number;
  readonly trialsPlanned: number;
  readonly valid: number;
  readonly voided: number;
  readonly recent: readonly RecentTrial[];
  readonly notes: readonly string[];
}

/** The live details of an experiment, as Markdown. */
export function details(shown: Shown): string {
  const { plan, phase, message, trialsDone, trialsPlanned, valid, voided, recent, notes } = shown;
  const stamp = plan?.smoke === true ? [`**A rehearsal, ${NOT_A_MEASUREMENT}.**`] : [];
  const head = [...stamp, `**${phase}** — ${message}`];
  if (plan !== null) head.push(`Question: ${plan.question}`, `Results: \`${plan.ref.store}\``);
  const counts = `Trials: ${trialsDone} of ${trialsPlanned} (${valid} valid, ${voided} void)`;
  const rows = recent.slice(-12).map((t) => {
    const rate = t.rateRecordsPerS === null ? '–' : `${Math.round(t.rateRecordsPerS)}`;
    return `| ${t.position} | ${t.id} | ${rate} | ${t.valid ? 'valid' : `void: ${t.reasons.join(', ')}`} |`;
  });
  const table =
    rows.length === 0 ? [] : ['| # | trial | records/s | verdict |', '|---|---|---|---|', ...rows];
  return [...head, counts, table.join('\n'), ...notes.map((n) => `- ${n}`)].join('\n\n');
}
