import { setCurrentDetails } from '@temporalio/workflow';
import type { PlanBrief, TrialBrief, TrialInput } from '../activities/contract.ts';
import { deviationText } from '../src/design/deviation.ts';
import { trialId, trialWorkflowId } from '../src/design/names.ts';
import type { ExperimentPhase, ExperimentStatus, RecentTrial, VoidedTrial } from '../src/temporal/status.ts';
import { kindOf, tag } from './attributes.ts';
import type { Controls } from './controls.ts';
import { details } from './details.ts';
import { type ScenarioTimes, timeAheadMs, withTrial } from './eta.ts';
import { Strip } from './strip.ts';

const RECENT = 50;
const NOTES_SHOWN = 20;
const WHY_LENGTH = 300;

/** What goes with an experiment when it continues as new. */
export interface LogbookPages {
  readonly startedAtMs: number;
  readonly trialsDone: number;
  readonly trialsPlanned: number;
  readonly valid: number;
  readonly voided: readonly VoidedTrial[];
  readonly recent: readonly RecentTrial[];
  readonly notes: readonly string[];
  readonly repairs: number;
  readonly times?: ScenarioTimes;
  readonly blocksTooShort?: number;
  readonly plotsApplied?: number;
  readonly lab?: number;
}

/**
 * What an experiment says about itself: the query `status`, live details and search attributes. It decides
 * nothing.
 */
export class Logbook {
  phase: ExperimentPhase = 'planning';
  message = 'reading the spec and drawing the plan';
  outcome: ExperimentStatus['outcome'] = null;
  plan: PlanBrief | null = null;
  readonly notes: string[];
  /** How often the lab was repaired. */
  repairs: number;
  /** Blocks in a row in which every trial was void for a window that is too short. */
  blocksTooShort: number;
  /** How often broker settings were applied and warmed. */
  plotsApplied: number;
  /** The lab that measures now, from 1. */
  lab: number;
  readonly strip = new Strip();
  private trialsDone: number;
  private trialsPlanned: number;
  private validTrials: number;
  private readonly voided: VoidedTrial[];
  private recent: RecentTrial[];
  private current: ExperimentStatus['current'] = null;
  private currentTrial: { readonly scenario: string; readonly sinceMs: number } | null = null;
  private times: ScenarioTimes;
  private readonly key: string;
  readonly startedAtMs: number;
  /** Who measures the machine while we wait for it. */
  leaseHolder: string | null = null;

  constructor(key: string, pages: LogbookPages | undefined, nowMs: number) {
    this.key = key;
    this.startedAtMs = pages?.startedAtMs ?? nowMs;
    this.trialsDone = pages?.trialsDone ?? 0;
    this.trialsPlanned = pages?.trialsPlanned ?? 0;
    this.validTrials = pages?.valid ?? 0;
    this.voided = [...(pages?.voided ?? [])];
    this.recent = [...(pages?.recent ?? [])];
    this.notes = [...(pages?.notes ?? [])];
    this.repairs = pages?.repairs ?? 0;
    this.times = pages?.times ?? {};
    this.blocksTooShort = pages?.blocksTooShort ?? 0;
    this.plotsApplied = pages?.plotsApplied ?? 0;
    this.lab = pages?.lab ?? 1;
  }

  /** Opens a phase and tells the UI. */
  enter(phase: ExperimentPhase, message: string): void {
    this.phase = phase;
    this.message = message;
    this.show();
  }

  /** Adds trials to what is expected; may be negative. */
  expect(trials: number): void {
    this.trialsPlanned += trials;
  }

  trialStarts(trial: TrialInput, nowMs: number): void {
    const workflowId = trialWorkflowId(trial.ref.workflowId, trial);
    this.current = { id: trialId(trial), workflowId, phase: 'prepare', since: new Date(nowMs).toISOString() };
    this.currentTrial = { scenario: trial.scenario, sinceMs: nowMs };
    this.strip.mark(trial, 'running');
    this.message = `trial ${this.trialsDone + 1} of ${this.trialsPlanned}: ${trialId(trial)}`;
    this.show();
  }

  trialEnds(brief: TrialBrief, nowMs: number): void {
    const reasons = brief.reasons.map((r) => r.code);
    if (this.currentTrial !== null)
      this.times = withTrial(this.times, brief, nowMs - this.currentTrial.sinceMs);
    this.current = null;
    this.currentTrial = null;
    this.strip.mark(brief, brief.valid ? 'valid' : 'void');
    this.trialsDone += 1;
    if (brief.valid) this.validTrials += 1;
    else this.voided.push({ id: brief.id, reasons });
    const row = {
      id: brief.id,
      position: this.trialsDone,
      valid: brief.valid,
      reasons,
      rateRecordsPerS: brief.recordsPerS,
      ...(brief.valid
        ? {}
        : {
            why: brief.reasons
              .map((r) => r.message)
              .join('; ')
              .slice(0, WHY_LENGTH),
          }),
    };
    this.recent = [...this.recent, row].slice(-RECENT);
    this.show();
  }

  /** A voided attempt will be tried anew. */
  attemptExpected(scenario: string, attempt: number): void {
    this.expect(1);
    this.strip.add(scenario, attempt);
  }

  trialSkipped(trial: TrialInput): void {
    this.expect(-1);
    this.strip.mark(trial, 'skipped');
  }

  get validCount(): number {
    return this.validTrials;
  }

  get voidCount(): number {
    return this.voided.length;
  }

  pages(): LogbookPages {
    const { startedAtMs, trialsDone, trialsPlanned, voided, recent, notes, repairs, times } = this;
    const { blocksTooShort, plotsApplied, lab } = this;
    return {
      startedAtMs,
      trialsDone,
      trialsPlanned,
      valid: this.validTrials,
      voided,
      recent,
      notes,
      repairs,
      times,
      blocksTooShort,
      plotsApplied,
      lab,
    };
  }

  /** Somebody changed what is ahead: tells the UI. */
  refresh(): void {
    this.show();
  }

  status(controls: Controls, nowMs: number): ExperimentStatus {
    const { phase, outcome, message, trialsDone, trialsPlanned, voided, current, recent } = this;
    const orders = this.plan === null ? undefined : controls.orders;
    const etaMs = this.etaMs(controls, nowMs);
    const strip = this.strip.view(controls.lastBlock);
    const asked = this.outcome === null ? controls.asked : [];
    const { paused, deviations } = controls;
    const notes = [...this.notes, ...deviations.map(deviationText)];
    return {
      format: 1,
      key: this.key,
      name: this.plan?.name ?? this.key,
      phase,
      outcome,
      message,
      trialsDone,
      trialsPlanned,
      valid: this.validTrials,
      voided,
      current,
      recent,
      resultsFolder: this.plan?.ref.store ?? null,
      ...(orders !== undefined && orders.flat().length <= 500 ? { orders } : {}),
      startedAt: new Date(this.startedAtMs).toISOString(),
      ...(etaMs === null ? {} : { etaMs }),
      ...(strip === null || !RUNNING.includes(phase) ? {} : { strip }),
      ...(paused === null ? {} : { pausedUntil: new Date(paused.untilMs).toISOString() }),
      ...(asked.length === 0 ? {} : { asked }),
      ...(notes.length === 0 ? {} : { notes: notes.slice(-NOTES_SHOWN) }),
      ...(this.leaseHolder === null ? {} : { leaseHolder: this.leaseHolder }),
    };
  }

  /** From how long the trials took that ran; a pause is taken to last until its limit. null while nothing is known. */
  private etaMs(controls: Controls, nowMs: number): number | null {
    if (!RUNNING.includes(this.phase)) return null;
    const inBlock = this.strip.waiting.filter((scenario) => !controls.skippedScenarios.has(scenario));
    const ms = timeAheadMs(this.times, [...inBlock, ...controls.ahead], this.currentTrial, nowMs);
    const pausedMs = controls.paused === null ? 0 : Math.max(0, controls.paused.untilMs - nowMs);
    return ms === null ? null : ms + pausedMs;
  }

  private show(): void {
    const { plan, phase, message, outcome, trialsDone, trialsPlanned, recent, notes } = this;
    const counts = { trialsDone, trialsPlanned, valid: this.validTrials, voided: this.voided.length };
    setCurrentDetails(details({ plan, phase, message, ...counts, recent, notes }));
    if (plan === null) return;
    tag(plan.searchAttributes, {
      AssayExperiment: plan.ref.workflowId,
      AssayKind: kindOf(plan),
      AssayPhase: phase,
      AssayProgress: `${trialsDone}/${trialsPlanned}`,
      AssayValidTrials: counts.valid,
      AssayVoidTrials: counts.voided,
      ...(outcome === null ? {} : { AssayVerdict: outcome }),
    });
  }
}

const RUNNING: readonly ExperimentPhase[] = ['warming-up', 'measuring', 'paused'];
