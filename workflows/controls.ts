import { condition } from '@temporalio/workflow';
import type { Deviation, PauseEnd, Place } from '../src/design/deviation.ts';
import type { FrozenBrief, PlanBrief } from '../activities/contract.ts';
import type { TrialName } from '../src/design/names.ts';

export interface Pause {
  readonly limitMs: number;
  readonly reason: string;
}

export interface RunningPause {
  readonly reason: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** null while it lasts. */
  readonly over: PauseEnd | null;
}

/** What goes with the controls when an experiment continues as new: only at a block boundary, never in a pause. */
export interface ControlPages {
  readonly pauseAsked: Pause | null;
  readonly skippedScenarios: Readonly<Record<string, string>>;
  readonly skipNext: string | null;
  readonly askedLastBlock: number | null;
  readonly extraOrders: readonly (readonly string[])[];
  readonly deviations: readonly Deviation[];
  readonly blockBegun: number;
}

/**
 * What people asked of a running experiment, and what of it has yet to take effect. Requests come in at any time
 * (listen.ts); the story asks here between trials and between blocks.
 */
export class Controls {
  plan: PlanBrief | null = null;
  frozen: FrozenBrief | null = null;
  /** Of the trial that comes next. */
  place: Place = { block: 0, pass: null, position: 1 };
  /** The block of which a trial has run; 0 before block 1. */
  blockBegun: number;
  pauseAsked: Pause | null;
  paused: RunningPause | null = null;
  /** Nobody wants the lab to be kept any longer. */
  released = false;
  /** Scenario → why it is skipped from now on. */
  readonly skippedScenarios: Map<string, string>;
  /** Why the next trial is skipped. */
  skipNext: string | null;
  /** The last block that somebody wants. */
  askedLastBlock: number | null;
  /** Blocks that were added to the plan's. */
  extraOrders: readonly (readonly string[])[];
  readonly deviations: Deviation[];

  constructor(pages: ControlPages | undefined) {
    this.blockBegun = pages?.blockBegun ?? 0;
    this.pauseAsked = pages?.pauseAsked ?? null;
    this.skippedScenarios = new Map(Object.entries(pages?.skippedScenarios ?? {}));
    this.skipNext = pages?.skipNext ?? null;
    this.askedLastBlock = pages?.askedLastBlock ?? null;
    this.extraOrders = pages?.extraOrders ?? [];
    this.deviations = [...(pages?.deviations ?? [])];
  }

  pages(): ControlPages {
    const { blockBegun, pauseAsked, skipNext, askedLastBlock, extraOrders, deviations } = this;
    const skippedScenarios = Object.fromEntries(this.skippedScenarios);
    return { blockBegun, pauseAsked, skippedScenarios, skipNext, askedLastBlock, extraOrders, deviations };
  }

  /** Scenarios of block 1, 2, … in their order; blocks that were added stand after the plan's. */
  get orders(): readonly (readonly string[])[] {
    return [...(this.plan?.orders ?? []), ...this.extraOrders];
  }

  /** No block runs after this one. */
  get lastBlock(): number {
    return this.askedLastBlock ?? this.orders.length;
  }

  /** Scenarios of these blocks that are measured: without those of a series that ended in block 0. */
  measured(orders: readonly (readonly string[])[]): readonly string[] {
    const leftOut = this.frozen?.leftOut ?? {};
    return orders.flat().filter((scenario) => !Object.hasOwn(leftOut, scenario));
  }

  /** Scenarios of all trials of the blocks that have not begun. */
  get ahead(): readonly string[] {
    const blocks = this.orders.slice(this.blockBegun, this.lastBlock);
    return this.measured(blocks).filter((scenario) => !this.skippedScenarios.has(scenario));
  }

  /** Why this trial is not to run, recorded; null when it is to run. */
  takeSkip({ block, scenario, attempt }: TrialName, nowMs: number): string | null {
    const reason = this.skipNext ?? this.skippedScenarios.get(scenario) ?? null;
    if (reason === null) return null;
    this.skipNext = null;
    const at = new Date(nowMs).toISOString();
    this.deviations.push({ kind: 'skip', ...this.place, block, scenario, attempt, at, reason });
    return reason;
  }

  /** Whether a pause begins here. */
  pauseBegins(nowMs: number): boolean {
    if (this.pauseAsked === null) return false;
    const { limitMs, reason } = this.pauseAsked;
    this.pauseAsked = null;
    this.paused = { reason, sinceMs: nowMs, untilMs: nowMs + limitMs, over: null };
    return true;
  }

  /** Waits until somebody ends the pause or changes its limit, or the limit passes. */
  async pauseChanges(): Promise<void> {
    const seen = this.paused;
    if (seen === null) return;
    const leftMs = Math.max(1, seen.untilMs - Date.now());
    const changed = await condition(() => this.paused !== seen, leftMs);
    if (!changed) this.paused = { ...seen, over: 'limit' };
  }

  /** Records the pause with its true length. */
  pauseEnds(nowMs: number): void {
    if (this.paused === null) return;
    const { sinceMs, reason, over } = this.paused;
    this.paused = null;
    const at = new Date(sinceMs).toISOString();
    const ended = { lastedMs: nowMs - sinceMs, endedBy: over ?? 'abort' } as const;
    this.deviations.push({ kind: 'pause', ...this.place, at, reason, ...ended });
  }

  /** What was asked for and has yet to take effect, in plain phrases. */
  get asked(): readonly string[] {
    return [
      ...(this.pauseAsked === null ? [] : ['pauses before the next trial']),
      ...(this.skipNext === null ? [] : ['skips the next trial']),
      ...(this.skippedScenarios.size === 0
        ? []
        : [`skips ${[...this.skippedScenarios.keys()].join(' and ')} from now on`]),
      ...(this.askedLastBlock === null ? [] : [`ends after block ${this.askedLastBlock}`]),
    ];
  }
}
