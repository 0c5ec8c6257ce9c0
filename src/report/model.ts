import type { Analysis, EffectResult, EffectWord, ScenarioSummary } from '../analysis/analysis.ts';
import type { Plan } from '../design/plan.ts';
import { REASONS } from '../measure/reasons.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { deviationTexts } from './deviations.ts';
import { type CapacityView, capacityView, type ExpectationView, expectationView } from './expectations.ts';
import { labsOf } from './kubernetes/labs.ts';
import { sharingLimits } from './kubernetes/sharing.ts';
import { type KubernetesView, kubernetesView } from './kubernetes/view.ts';
import { type MemorySeries, memorySeries } from './memory.ts';
import { type OrderRow, orderRows } from './order.ts';
import { type ResourceRow, resourceRows } from './resources.ts';
import type { ExperimentRecord, Results } from './results.ts';
import type { SampleFile } from './samples-csv.ts';
import { type FactGroup, factGroups } from './facts.ts';
import { type FlagView, flagViews } from './flags.ts';
import { ratioText } from '../analysis/format.ts';

/** Everything that any renderer shows, decided once; renderers only lay it out. Texts are not escaped yet. */
export interface ReportModel {
  readonly name: string;
  readonly question: string;
  /** A rehearsal at a tiny scale: every page and file says that it is not a measurement. */
  readonly smoke: boolean;
  /** `unfinished`: no `experiment.json`; it still runs, or its end could not be stored. */
  readonly outcome: ExperimentRecord['outcome'] | 'unfinished';
  readonly outcomeMessage: string | null;
  readonly experiment: ExperimentRecord | null;
  /** The primary metric. */
  readonly metric: Plan['metric'];
  /** Shown first. */
  readonly expectations: readonly ExpectationView[];
  readonly answer: Answer;
  /** Where a search for capacity was asked for. */
  readonly capacities: readonly CapacityView[];
  readonly effects: readonly EffectView[];
  /** A share: effects inside [1 ÷ (1 + margin), 1 + margin] are no difference. */
  readonly margin: number;
  readonly scenarios: readonly ScenarioView[];
  /** In the order they ran, block 0 included. */
  readonly trials: readonly TrialRecord[];
  readonly voided: readonly VoidedView[];
  readonly flags: readonly FlagView[];
  readonly limits: readonly string[];
  readonly leaks: readonly string[];
  /** What was not as the spec and the plan say, each in one sentence: to be read before the answer. */
  readonly deviations: readonly string[];
  /** Steps around the measuring that failed. */
  readonly notes: readonly string[];
  /** In which order everything ran, block 0 first. */
  readonly order: readonly OrderRow[];
  readonly resources: readonly ResourceRow[];
  /** The brokers are somebody else's: samples are of the clients' machine. */
  readonly clientsOnly: boolean;
  /** Volumes, nodes and cost of a lab in pods; null for another lab. */
  readonly kubernetes: KubernetesView | null;
  /** Empty where the samples were not read (the terminal). */
  readonly memory: readonly MemorySeries[];
  readonly counts: Counts;
  readonly blocksPlanned: number;
  readonly facts: readonly FactGroup[];
  readonly commands: readonly CommandView[];
  readonly planSha256: string;
  /** What in these results contradicts itself, e.g. an analysis of another plan. */
  readonly contradictions: readonly string[];
  readonly files: readonly string[];
}

export interface Answer {
  /** One or two sentences. */
  readonly text: string;
  /** The single primary contrast, when there is exactly one: its numbers may be shown large. */
  readonly effect: EffectView | null;
  /** False when there is no analysis. */
  readonly exists: boolean;
}

export type Mark = 'decided' | 'open' | 'undecidable';

export interface EffectView extends EffectResult {
  readonly mark: Mark;
  /** `2.31`, or null when there is no estimate. */
  readonly ratioText: string | null;
  /** `2.10 to 2.54`: the simultaneous interval, the one that decides. */
  readonly intervalText: string | null;
  readonly changes: Plan['contrasts'][number]['changes'];
}

export interface ScenarioView extends ScenarioSummary {
  /** Position in the plan, from 0: fixes colour and symbol. */
  readonly index: number;
}

export interface VoidedView {
  readonly trial: TrialRecord;
  readonly warmup: boolean;
  readonly reasons: readonly { readonly code: string; readonly says: string; readonly message: string }[];
  /** Whether a later attempt of the same trial is valid. */
  readonly madeGood: boolean;
}

/** Counts of attempts; block 0 apart, it enters no estimate. */
export interface Counts {
  readonly planned: number;
  readonly valid: number;
  readonly voided: number;
  readonly warmup: number;
}

export interface CommandView {
  readonly scenario: string;
  readonly load: string;
  readonly trialId: string;
  readonly argv: readonly string[];
}

/**
 * Builds the one model of a report. Pure: the same results give the same model.
 *
 * @param samples the samplers' files, for the pictures that need them.
 */
export function reportModel(results: Results, samples: readonly SampleFile[] = []): ReportModel {
  const { plan, analysis, experiment, trials } = results;
  const kubernetes = kubernetesView(results, samples);
  const measured = trials.filter((t) => t.block > 0);
  const effects = (analysis?.effects ?? []).map((effect) => effectView(effect, plan));
  return {
    name: plan.name,
    question: plan.question,
    smoke: plan.smoke === true,
    outcome: experiment?.outcome ?? 'unfinished',
    outcomeMessage: experiment?.message ?? null,
    experiment,
    metric: plan.metric,
    expectations: (analysis?.expectations ?? []).map(expectationView),
    answer: answerOf(results, effects),
    capacities: (analysis?.capacities ?? []).map(capacityView),
    effects,
    margin: plan.smallestEffectOfInterest,
    scenarios: plan.scenarios.map((s, index) => ({ ...scenarioSummary(s.slug, analysis, measured), index })),
    trials,
    voided: trials.filter((t) => !t.verdict.valid).map((t) => voidedView(t, trials)),
    flags: flagViews(analysis, trials),
    limits: [...(analysis?.limits ?? []), ...sharingLimits(plan, labsOf(results))],
    leaks: experiment?.leaks ?? [],
    deviations: deviationTexts(results),
    notes: experiment?.notes ?? [],
    order: orderRows(plan, trials),
    // The record of a trial in pods speaks of the first pod's node alone.
    resources: kubernetes === null ? resourceRows(plan, trials) : kubernetes.resources,
    clientsOnly: plan.lab.existing !== undefined,
    kubernetes,
    memory: memorySeries(trials, samples),
    counts: {
      planned: plan.orders.reduce((sum, order) => sum + order.length, 0),
      valid: measured.filter((t) => t.verdict.valid).length,
      voided: measured.filter((t) => !t.verdict.valid).length,
      warmup: trials.length - measured.length,
    },
    blocksPlanned: plan.orders.length,
    facts: factGroups(results),
    commands: commandViews(plan, trials),
    planSha256: results.planSha256,
    contradictions: contradictions(results),
    files: results.files,
  };
}

/** Where a trial stands, in words: `block 3, batch=64KiB, attempt 2`. */
export function trialPlace(trial: TrialRecord): string {
  const block = trial.pass === null ? `block ${trial.block}` : `warm-up pass ${trial.pass}`;
  return `${block}, ${trial.scenario}${trial.attempt > 1 ? `, attempt ${trial.attempt}` : ''}`;
}

function effectView(effect: EffectResult, plan: Plan): EffectView {
  const interval = effect.simultaneous ?? effect.interval;
  return {
    ...effect,
    mark: markOf(effect.word),
    ratioText: effect.ratio === null ? null : ratioText(effect.ratio),
    intervalText: interval === null ? null : `${ratioText(interval.low)} to ${ratioText(interval.high)}`,
    changes: plan.contrasts.find((c) => c.name === effect.contrast)?.changes ?? {},
  };
}

function markOf(word: EffectWord): Mark {
  if (word === 'cannot be decided') return 'undecidable';
  return word === 'inconclusive' ? 'open' : 'decided';
}

function answerOf(results: Results, effects: readonly EffectView[]): Answer {
  const primary = effects.filter((e) => e.primary);
  if (results.analysis) {
    return {
      text: results.analysis.answer,
      effect: (primary.length === 1 && primary[0]) || null,
      exists: true,
    };
  }
  return {
    text: `No answer: ${NO_ANALYSIS[results.experiment?.outcome ?? 'unfinished']}.`,
    effect: null,
    exists: false,
  };
}

const NO_ANALYSIS: Readonly<Record<ReportModel['outcome'], string>> = {
  aborted: 'the experiment was aborted before there was enough to analyse',
  failed: 'the experiment failed before its analysis',
  completed: 'these results hold no analysis',
  'completed-with-leaks': 'these results hold no analysis',
  unfinished: 'the experiment has not ended, or its end was not stored',
};

/** From the analysis; without one counted from the trials, with no medians: nothing was estimated. */
function scenarioSummary(
  slug: string,
  analysis: Analysis | null,
  measured: readonly TrialRecord[],
): ScenarioSummary {
  const known = analysis?.scenarios.find((s) => s.scenario === slug);
  if (known) return known;
  const mine = measured.filter((t) => t.scenario === slug);
  const valid = mine.filter((t) => t.verdict.valid);
  const rates = valid.flatMap((t) => (t.rate ? [t.rate.recordsPerS] : []));
  const reasons: Record<string, number> = {};
  for (const r of mine.flatMap((t) => t.verdict.reasons)) reasons[r.code] = (reasons[r.code] ?? 0) + 1;
  return {
    scenario: slug,
    valid: valid.length,
    voided: mine.length - valid.length,
    medianRecordsPerS: null,
    medianBytesPerS: null,
    minRecordsPerS: rates.length > 0 ? Math.min(...rates) : null,
    maxRecordsPerS: rates.length > 0 ? Math.max(...rates) : null,
    cv: null,
    reasons,
  };
}

function voidedView(trial: TrialRecord, all: readonly TrialRecord[]): VoidedView {
  const same = (t: TrialRecord): boolean =>
    t.block === trial.block && t.pass === trial.pass && t.scenario === trial.scenario;
  return {
    trial,
    warmup: trial.block === 0,
    reasons: trial.verdict.reasons.map((r) => ({
      code: r.code,
      says: REASONS[r.code]?.says ?? r.code,
      message: r.message,
    })),
    madeGood: all.some((t) => same(t) && t.attempt > trial.attempt && t.verdict.valid),
  };
}

function commandViews(plan: Plan, trials: readonly TrialRecord[]): readonly CommandView[] {
  return plan.scenarios.flatMap((s) => {
    const last = trials.filter((t) => t.scenario === s.slug && t.verdict.valid).at(-1);
    if (!last) return [];
    return last.loads.map((load) => ({
      scenario: s.slug,
      load: load.name,
      trialId: last.id,
      argv: load.command,
    }));
  });
}

function contradictions(results: Results): readonly string[] {
  const { analysis, frozen, planSha256, frozenSha256, experiment, trials } = results;
  const found: string[] = [];
  if (analysis && analysis.planSha256 !== planSha256)
    found.push('analysis.json was made from another plan than plan.json');
  if (frozen && frozen.planSha256 !== planSha256)
    found.push('frozen.json belongs to another plan than plan.json');
  if (analysis && analysis.frozenSha256 !== frozenSha256)
    found.push('analysis.json was made from another frozen.json');
  const foreign = trials.filter((t) => experiment && t.experimentKey !== experiment.key).map((t) => t.id);
  if (foreign.length > 0) found.push(`trials of another experiment: ${foreign.join(', ')}`);
  return found;
}
