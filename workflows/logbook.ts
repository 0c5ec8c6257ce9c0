import { setCurrentDetails } from '@temporalio/workflow';
import type { PlanBrief, TrialBrief, TrialInput } from '../activities/contract.ts';
import { trialId, trialWorkflowId } from '../src/design/names.ts';
import type { ExperimentPhase, ExperimentStatus, RecentTrial, VoidedTrial } from '../src/temporal/status.ts';
import { tag } from './attributes.ts';

const RECENT = 50;

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
  private trialsDone: number;
  private trialsPlanned: number;
  private validTrials: number;
  private readonly voided: VoidedTrial[];
  private recent: RecentTrial[];
  private current: ExperimentStatus['current'] = null;
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
    this.message = `trial ${this.trialsDone + 1} of ${this.trialsPlanned}: ${trialId(trial)}`;
    this.show();
  }

  trialEnds(brief: TrialBrief): void {
    const reasons = brief.reasons.map((r) => r.code);
    this.current = null;
    this.trialsDone += 1;
    if (brief.valid) this.validTrials += 1;
    else this.voided.push({ id: brief.id, reasons });
    const row = {
      id: brief.id,
      position: this.trialsDone,
      valid: brief.valid,
      reasons,
      rateRecordsPerS: brief.recordsPerS,
    };
    this.recent = [...this.recent, row].slice(-RECENT);
    this.show();
  }

  get validCount(): number {
    return this.validTrials;
  }

  get voidCount(): number {
    return this.voided.length;
  }

  pages(): LogbookPages {
    const { startedAtMs, trialsDone, trialsPlanned, voided, recent, notes, repairs } = this;
    return {
      startedAtMs,
      trialsDone,
      trialsPlanned,
      valid: this.validTrials,
      voided,
      recent,
      notes,
      repairs,
    };
  }

  status(nowMs: number): ExperimentStatus {
    const { phase, outcome, message, trialsDone, trialsPlanned, voided, current, recent } = this;
    const orders = this.plan?.orders;
    const etaMs = this.etaMs(nowMs);
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
      ...(this.leaseHolder === null ? {} : { leaseHolder: this.leaseHolder }),
    };
  }

  /** A guess from the mean length of the trials so far. */
  private etaMs(nowMs: number): number | null {
    if (this.phase !== 'measuring' || this.trialsDone === 0) return null;
    const perTrialMs = (nowMs - this.startedAtMs) / this.trialsDone;
    return Math.round(perTrialMs * Math.max(0, this.trialsPlanned - this.trialsDone));
  }

  private show(): void {
    setCurrentDetails(this.markdown());
    if (this.plan === null) return;
    tag(this.plan.searchAttributes, {
      AssayExperiment: this.plan.ref.workflowId,
      AssayPhase: this.phase,
      AssayProgress: `${this.trialsDone}/${this.trialsPlanned}`,
      AssayValidTrials: this.validTrials,
      AssayVoidTrials: this.voided.length,
      ...(this.outcome === null ? {} : { AssayVerdict: this.outcome }),
    });
  }

  private markdown(): string {
    const head = [`**${this.phase}** — ${this.message}`];
    if (this.plan !== null)
      head.push(`Question: ${this.plan.question}`, `Results: \`${this.plan.ref.store}\``);
    const counts = `Trials: ${this.trialsDone} of ${this.trialsPlanned} (${this.validTrials} valid, ${this.voided.length} void)`;
    const rows = this.recent.slice(-12).map((t) => {
      const rate = t.rateRecordsPerS === null ? '–' : `${Math.round(t.rateRecordsPerS)}`;
      return `| ${t.position} | ${t.id} | ${rate} | ${t.valid ? 'valid' : `void: ${t.reasons.join(', ')}`} |`;
    });
    const table =
      rows.length === 0 ? [] : ['| # | trial | records/s | verdict |', '|---|---|---|---|', ...rows];
    return [...head, counts, table.join('\n'), ...this.notes.map((n) => `- ${n}`)].join('\n\n');
  }
}
