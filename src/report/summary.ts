import type { Analysis, ScenarioSummary } from '../analysis/analysis.ts';
import { type Stamped, stampOf } from '../design/smoke.ts';
import type { KubernetesView } from './kubernetes/view.ts';
import type { VolumeMedian } from './kubernetes/volume-medians.ts';
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
  /** Of a lab in pods only. */
  readonly kubernetes?: KubernetesSummary;
}

/** Volumes and money in short; everything else is in `volumes.csv` and `environment.json`. */
export interface KubernetesSummary {
  readonly cloudWatch: KubernetesView['cloudWatch']['state'];
  /** Medians over valid trials; secondary, no verdict rests on them. */
  readonly volumes: readonly (Pick<VolumeMedian, 'scenario' | 'valid' | 'cloudWatch' | 'device'> & {
    readonly lab: number;
    readonly broker: string;
    readonly volumeId: string | null;
    readonly mapping: string;
  })[];
  /** US dollars; null = not known. What is not included stands in the report. */
  readonly cost: Pick<KubernetesView['cost'], 'estimated' | 'attributed'>;
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
    ...(model.kubernetes === null ? {} : { kubernetes: kubernetesSummary(model.kubernetes) }),
  };
}

function kubernetesSummary({ cloudWatch, medians, cost }: KubernetesView): KubernetesSummary {
  return {
    cloudWatch: cloudWatch.state,
    volumes: medians.map(({ scenario, valid, volume, cloudWatch: seen, device }) => {
      const { lab, broker, volumeId, result } = volume;
      return { scenario, lab, broker, volumeId, mapping: result, valid, cloudWatch: seen, device };
    }),
    cost: { estimated: cost.estimated, attributed: cost.attributed },
  };
}

/** The position in the plan is for colours only. */
function withoutIndex({ index, ...summary }: ScenarioView): ScenarioSummary {
  void index;
  return summary;
}
