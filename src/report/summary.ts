import type { Analysis, ScenarioSummary } from '../analysis/analysis.ts';
import { type Stamped, stampOf } from '../design/smoke.ts';
import type { Counts, ReportModel, ScenarioView } from './model.ts';

/** The result for programs (`summary.json`), one small file: the answer, the effects and what they rest on. */
export interface Summary extends Stamped {
  readonly format: 1;
  readonly name: string;
  readonly question: string;
  readonly workflowId: string | null;
  readonly experimentKey: string | null;
  readonly outcome: ReportModel['outcome'];
  readonly answer: string;
  /** False without an analysis. */
  readonly decided: boolean;
  readonly margin: number;
  readonly expectations: NonNullable<Analysis['expectations']>;
  readonly capacities: NonNullable<Analysis['capacities']>;
  readonly effects: Analysis['effects'];
  readonly scenarios: Analysis['scenarios'];
  readonly counts: Counts;
  readonly flags: readonly string[];
  readonly limits: readonly string[];
  readonly leaks: readonly string[];
  /** What was not as planned, each in one sentence. */
  readonly deviations: readonly string[];
  readonly planSha256: string;
}

/** Builds `summary.json`. */
export function summaryOf(model: ReportModel, analysis: Analysis | null): Summary {
  return {
    format: 1,
    ...stampOf(model),
    name: model.name,
    question: model.question,
    workflowId: model.experiment?.workflowId ?? null,
    experimentKey: model.experiment?.key ?? null,
    outcome: model.outcome,
    answer: model.answer.text,
    decided: analysis?.decided ?? false,
    margin: model.margin,
    expectations: analysis?.expectations ?? [],
    capacities: analysis?.capacities ?? [],
    effects: analysis?.effects ?? [],
    scenarios: model.scenarios.map(withoutIndex),
    counts: model.counts,
    flags: [...new Set(model.flags.map((f) => f.code))],
    limits: model.limits,
    leaks: model.leaks,
    deviations: model.deviations,
    planSha256: model.planSha256,
  };
}

/** The position in the plan is for colours only. */
function withoutIndex({ index, ...summary }: ScenarioView): ScenarioSummary {
  void index;
  return summary;
}
