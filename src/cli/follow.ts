import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { LiveBlock } from './live-block.ts';
import { type Observation, observe } from './observe.ts';
import { currentLine, finishedTrialLine, liveBlock, phaseText } from './progress.ts';
import type { Terminal } from './terminal.ts';
import { durationText } from './words.ts';

/** Looks cost the measured machine a workflow task each: rare enough not to be seen in a measurement. */
const LOOK_EVERY_MS = { live: 2_000, plain: 3_000 } as const;
const DRAW_EVERY_MS = 500;
/** Restarts of server and worker take seconds: said only when it takes longer. */
const SILENCE_MS = 15_000;
/** Without a terminal: a line at least this often, so that a log shows that it lives. */
const PLAIN_EVERY_MS = 60_000;

export interface FollowOptions {
  readonly client: Client;
  readonly workflowId: string;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** What may be done when nobody answers for long. */
  readonly advice: (silent: 'temporal' | 'worker') => string;
}

/** Shows an experiment live until it is closed or the signal is aborted. Server and worker may come and go. */
export async function follow(options: FollowOptions): Promise<'closed' | 'detached'> {
  const { client, workflowId, terminal, signal } = options;
  const view = new FollowView(options);
  try {
    while (!signal.aborted) {
      const observation = await observe(client, workflowId);
      view.show(observation);
      if (observation.state !== null && observation.state !== 'RUNNING') return 'closed';
      await view.wait(LOOK_EVERY_MS[terminal.live ? 'live' : 'plain'], signal);
    }
    return 'detached';
  } finally {
    view.end();
  }
}

/** What has been printed already, and the block that is drawn again. */
export class FollowView {
  readonly #options: Pick<FollowOptions, 'terminal' | 'advice'>;
  readonly #block: LiveBlock;
  #printed = 0;
  #phase = '';
  readonly #notes = new Set<string>();
  #asked = '';
  #plainAtMs = 0;
  #last: { readonly seen: Observation; readonly atMs: number } | null = null;
  #silentSinceMs: number | null = null;
  #silenceSaid = false;

  constructor(options: Pick<FollowOptions, 'terminal' | 'advice'>) {
    this.#options = options;
    this.#block = new LiveBlock(options.terminal);
  }

  /** Prints what is new in an observation. */
  show(seen: Observation, nowMs: number = Date.now()): void {
    this.#noteSilence(seen.silent, nowMs);
    if (seen.status === null) return;
    this.#last = { seen, atMs: nowMs };
    const { status } = seen;
    const phase = phaseText(status);
    if (phase !== this.#phase && !this.#options.terminal.live) this.#print(`${status.name}: ${phase}`, nowMs);
    this.#phase = phase;
    for (const trial of status.recent) {
      if (trial.position <= this.#printed) continue;
      this.#printed = trial.position;
      this.#print(finishedTrialLine(trial, status.trialsPlanned), nowMs);
    }
    for (const note of status.notes ?? []) {
      if (this.#notes.has(note)) continue;
      this.#notes.add(note);
      this.#print(`note: ${note}`, nowMs);
    }
    this.#plain(seen, nowMs);
    this.draw(nowMs);
  }

  #print(line: string, nowMs: number): void {
    this.#block.print(line);
    this.#plainAtMs = nowMs;
  }

  /** Where nothing can be drawn in place: what was asked for, and where it is when no line has come for long. */
  #plain({ status, heartbeat }: Observation, nowMs: number): void {
    if (this.#options.terminal.live || status === null) return;
    const asked = (status.asked ?? []).join('; ');
    if (asked !== this.#asked && asked !== '') this.#print(`asked for: ${asked}`, nowMs);
    this.#asked = asked;
    if (nowMs - this.#plainAtMs < PLAIN_EVERY_MS) return;
    const line = currentLine({ status, heartbeat, ageMs: 0, nowMs });
    const left = status.etaMs === undefined ? '' : `  about ${durationText(status.etaMs)} left`;
    if (line !== null) this.#print(`${line.trim()}${left}`, nowMs);
  }

  draw(nowMs: number = Date.now()): void {
    const status = this.#last?.seen.status;
    if (!status || this.#last === null) return;
    const ageMs = nowMs - this.#last.atMs;
    const view = { status, heartbeat: this.#last.seen.heartbeat, ageMs, nowMs };
    this.#block.draw(liveBlock(view, this.#options.terminal.columns()));
  }

  /** Waits, keeping countdowns going; ends early when the signal is aborted. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const end = Date.now() + ms;
    while (Date.now() < end && !signal.aborted) {
      await sleep(Math.min(DRAW_EVERY_MS, ms), undefined, { signal }).catch(() => {});
      if (this.#options.terminal.live) this.draw();
    }
  }

  end(): void {
    this.#block.clear();
  }

  #noteSilence(silent: Observation['silent'], nowMs: number): void {
    if (silent === null) {
      if (this.#silenceSaid) this.#block.print('Answers again.');
      this.#silentSinceMs = null;
      this.#silenceSaid = false;
      return;
    }
    this.#silentSinceMs ??= nowMs;
    const silentMs = nowMs - this.#silentSinceMs;
    if (this.#silenceSaid || silentMs < SILENCE_MS) return;
    this.#silenceSaid = true;
    const who = silent === 'temporal' ? 'Temporal has' : 'The worker has';
    this.#block.print(
      `${who} not answered for ${durationText(silentMs)}; waiting. ${this.#options.advice(silent)}`,
    );
  }
}
