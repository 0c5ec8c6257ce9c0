import type { Sample } from './sample.ts';
import { intervalBetween, waitingBytes } from './sample-intervals.ts';
import type { SettleOutcome } from './trial-record.ts';

/** What one sample says about what a machine still has to write. */
export interface QuietReading {
  /** A clock that never steps (uptime), ms. */
  readonly atMs: number;
  /** Dirty + Writeback; null = could not be read. */
  readonly dirtyBytes: number | null;
  /** null = unknown device, or no rate yet (the first sample, a gap, a reset). */
  readonly deviceWriteBytesPerS: number | null;
}

export interface QuietConfig {
  readonly method: SettleOutcome['method'];
  /** Dirty + Writeback of the lab at rest. */
  readonly baseDirtyBytes: number;
  /** Quiet is below base + this. */
  readonly dirtyBytes: number;
  /** And device writes below this. */
  readonly deviceWriteBytesPerS: number;
  /** For this long without a break. */
  readonly quietMs: number;
  readonly limitMs: number;
  /** False: the device is unknown, so dirty memory alone decides. True: a reading without a device rate is not quiet. */
  readonly deviceKnown: boolean;
  /** Window over which a plateau is judged; 15 s by default. */
  readonly plateauMs?: number;
  /**
   * No plateau is called before this. By default 40 s: Linux leaves dirty pages alone for 30 s
   * (dirty_expire_centisecs) and looks every 5 s, so a flat curve before that says nothing.
   */
  readonly plateauNotBeforeMs?: number;
}

/** The judge's memory: plain data, so that it can be kept and shown. */
export interface QuietState {
  readonly config: QuietConfig;
  readonly startedAtMs: number;
  readonly lastAtMs: number;
  readonly quietSinceMs: number | null;
  /** Readings of the last plateau window. */
  readonly recent: readonly { readonly atMs: number; readonly dirtyBytes: number }[];
  readonly curve: SettleOutcome['curve'];
  /** One reading in this many is kept in the curve. */
  readonly curveStep: number;
  readonly readings: number;
  readonly ended: { readonly outcome: SettleOutcome['outcome']; readonly atMs: number } | null;
}

export const PLATEAU_MS = 15_000;
export const PLATEAU_NOT_BEFORE_MS = 40_000;
/** A plateau falls by less than this share in the plateau window. */
export const PLATEAU_FALL = 0.05;
/** Quiet must be seen: readings further apart than this break it. */
const UNSEEN_MS = 3_000;
const MAX_CURVE = 600;

/** The uptime clock of samples goes in such steps: readings 990 ms apart may be a second apart. */
const CLOCK_STEP_MS = 10;

/** Starts judging at a time of the same clock as the readings. */
export function startQuiet(config: QuietConfig, atMs: number): QuietState {
  return {
    config,
    startedAtMs: atMs,
    lastAtMs: atMs,
    quietSinceMs: null,
    recent: [],
    curve: [],
    curveStep: 1,
    readings: 0,
    ended: null,
  };
}

/** Takes a reading in. After the end, and for readings that go back in time, nothing changes. */
export function observe(state: QuietState, reading: QuietReading): QuietState {
  if (state.ended !== null || !(reading.atMs >= state.lastAtMs)) return state;
  const dirty = reading.dirtyBytes;
  const quiet = isQuiet(state.config, reading);
  const unbroken = reading.atMs - state.lastAtMs <= UNSEEN_MS;
  const quietSinceMs = quiet ? (unbroken ? (state.quietSinceMs ?? reading.atMs) : reading.atMs) : null;
  const next: QuietState = {
    ...state,
    lastAtMs: reading.atMs,
    quietSinceMs,
    recent: dirty === null ? state.recent : recentOf(state, reading.atMs, dirty),
    ...curveOf(state, reading),
  };
  return { ...next, ended: endOf(next, reading.atMs) };
}

/** Lets time pass without a reading (a sampler that is silent): only the limit can end it. */
export function passTime(state: QuietState, atMs: number): QuietState {
  if (state.ended !== null || !(atMs - state.startedAtMs >= state.config.limitMs)) return state;
  return { ...state, ended: { outcome: 'TIMEOUT', atMs } };
}

function isQuiet(config: QuietConfig, reading: QuietReading): boolean {
  if (reading.dirtyBytes === null || reading.dirtyBytes >= config.baseDirtyBytes + config.dirtyBytes)
    return false;
  if (reading.deviceWriteBytesPerS === null) return !config.deviceKnown;
  return reading.deviceWriteBytesPerS < config.deviceWriteBytesPerS;
}

function endOf(state: QuietState, atMs: number): QuietState['ended'] {
  const { config, quietSinceMs } = state;
  const elapsedMs = atMs - state.startedAtMs;
  if (quietSinceMs !== null && atMs - quietSinceMs >= config.quietMs - CLOCK_STEP_MS)
    return { outcome: 'QUIET', atMs };
  if (elapsedMs >= config.limitMs) return { outcome: 'TIMEOUT', atMs };
  if (elapsedMs >= (config.plateauNotBeforeMs ?? PLATEAU_NOT_BEFORE_MS) && isPlateau(state, atMs)) {
    return { outcome: 'PLATEAU', atMs };
  }
  return null;
}

/** Dirty memory above the threshold that falls by less than 5 % over the plateau window. */
function isPlateau(state: QuietState, atMs: number): boolean {
  const windowMs = state.config.plateauMs ?? PLATEAU_MS;
  const now = state.recent.at(-1);
  const then = state.recent.findLast((one) => one.atMs <= atMs - windowMs);
  if (now === undefined || then === undefined || now.atMs !== atMs) return false;
  if (now.dirtyBytes < state.config.baseDirtyBytes + state.config.dirtyBytes) return false;
  return now.dirtyBytes > then.dirtyBytes * (1 - PLATEAU_FALL);
}

function recentOf(state: QuietState, atMs: number, dirtyBytes: number): QuietState['recent'] {
  const from = atMs - (state.config.plateauMs ?? PLATEAU_MS);
  // One reading at or before the window's start is kept, to compare with.
  const start = Math.max(
    0,
    state.recent.findLastIndex((one) => one.atMs <= from),
  );
  return [...state.recent.slice(start), { atMs, dirtyBytes }];
}

function curveOf(
  state: QuietState,
  reading: QuietReading,
): Pick<QuietState, 'curve' | 'curveStep' | 'readings'> {
  const readings = state.readings + 1;
  if (reading.dirtyBytes === null || state.readings % state.curveStep !== 0) {
    return { curve: state.curve, curveStep: state.curveStep, readings };
  }
  const point = {
    atMs: reading.atMs - state.startedAtMs,
    dirtyBytes: reading.dirtyBytes,
    deviceWriteBytesPerS: reading.deviceWriteBytesPerS,
  };
  const curve = [...state.curve, point];
  if (curve.length <= MAX_CURVE) return { curve, curveStep: state.curveStep, readings };
  return { curve: curve.filter((_, at) => at % 2 === 0), curveStep: state.curveStep * 2, readings };
}

/** Where the wait stands, for people: how long it has been quiet, and how long it may still take. */
export interface QuietProgress {
  readonly phase: 'writing' | 'calming' | 'ended';
  readonly dirtyBytes: number | null;
  readonly aboveBaseBytes: number | null;
  readonly deviceWriteBytesPerS: number | null;
  /** Time to QUIET if nothing more is written; null while it writes. */
  readonly quietInMs: number | null;
  /** Time to the limit. */
  readonly limitInMs: number;
}

/** The countdown at a time of the readings' clock. */
export function quietProgress(state: QuietState, nowMs: number): QuietProgress {
  const last = state.curve.at(-1);
  const { config } = state;
  const quietForMs = state.quietSinceMs === null ? null : nowMs - state.quietSinceMs;
  return {
    phase: state.ended !== null ? 'ended' : quietForMs === null ? 'writing' : 'calming',
    dirtyBytes: last?.dirtyBytes ?? null,
    aboveBaseBytes: last === undefined ? null : Math.max(0, last.dirtyBytes - config.baseDirtyBytes),
    deviceWriteBytesPerS: last?.deviceWriteBytesPerS ?? null,
    quietInMs: quietForMs === null ? null : Math.max(0, config.quietMs - quietForMs),
    limitInMs: Math.max(0, config.limitMs - (nowMs - state.startedAtMs)),
  };
}

/** How it ended; null while it goes on. */
export function quietOutcome(state: QuietState): SettleOutcome | null {
  if (state.ended === null) return null;
  return {
    outcome: state.ended.outcome,
    method: state.config.method,
    tookMs: state.ended.atMs - state.startedAtMs,
    baseDirtyBytes: state.config.baseDirtyBytes,
    curve: state.curve,
  };
}

/** The outcome of several machines that settle together, as that of the one that says most against quiet; null while one goes on. */
export function worstOutcome(outcomes: readonly (SettleOutcome | null)[]): SettleOutcome | null {
  const order = ['QUIET', 'PLATEAU', 'TIMEOUT'] as const;
  let worst: SettleOutcome | null = null;
  for (const one of outcomes) {
    if (one === null) return null;
    const rank = order.indexOf(one.outcome) - (worst === null ? -1 : order.indexOf(worst.outcome));
    if (rank > 0 || (rank === 0 && one.tookMs > (worst?.tookMs ?? 0))) worst = one;
  }
  return worst;
}

/** The reading of a sample, given the one before it (null for the first, or after a gap). */
export function quietReading(before: Sample | null, sample: Sample): QuietReading {
  const interval = before === null ? null : intervalBetween(before, sample);
  const written = interval?.writeBytes ?? null;
  return {
    atMs: sample.uptimeMs[1],
    dirtyBytes: waitingBytes(sample),
    deviceWriteBytesPerS:
      interval === null || written === null ? null : (written / interval.elapsedMs) * 1000,
  };
}
