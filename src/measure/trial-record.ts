import type { Metric } from '../design/plan.ts';
import type { Stamped } from '../design/smoke.ts';
import type { Verdict } from './reasons.ts';

/** Everything that one attempt at a trial left behind, as it stands in the store (`trial.json`). */
export interface TrialRecord extends Stamped {
  readonly format: 1;
  readonly experimentKey: string;
  /** `b3/batch=64KiB/a1`; block 0 is `b0.p2/…`. */
  readonly id: string;
  readonly block: number;
  /** Which of the experiment's labs it ran in, from 1; absent = 1. */
  readonly lab?: number;
  /** Of block 0 only. */
  readonly pass: number | null;
  readonly scenario: string;
  readonly attempt: number;
  /** 1-based position in which it ran within its block, retries included. */
  readonly position: number;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly verdict: Verdict;
  /** The primary metric over the steady window; null when there is none. Invalid trials may carry one: it enters no estimate. */
  readonly rate: SteadyRate | null;
  /** Every metric that this trial has, or would have: the primary one decides, the others stand beside it. Absent in older records. */
  readonly values?: Readonly<Partial<Record<Metric, MetricValue>>>;
  readonly loads: readonly LoadRecord[];
  readonly settle: SettleOutcome | null;
  readonly drain: SettleOutcome | null;
  readonly offsets: readonly {
    readonly topic: string;
    readonly asked: number;
    readonly claimed: number | null;
    /** Without what was filled in beforehand. */
    readonly inLog: number | null;
    /** Records filled in beforehand; absent = none. */
    readonly filled?: number;
  }[];
  readonly host: HostSummary | null;
  /** Phase → duration. */
  readonly phasesMs: Readonly<Record<string, number>>;
  /** Raw files beside this one, by name relative to the trial's folder. */
  readonly raw: readonly RawFile[];
}

/** One metric of one trial, with what it is over: unlike things are never compared. */
export interface MetricValue {
  /** null: there is none, and `why` says so. */
  readonly value: number | null;
  readonly unit: 'records/s' | 'bytes/s' | 'ms' | 'share';
  /**
   * `own`: one load's steady window. `overlap`: the common interval of several. `fetch`: fetch time of a consumer over its
   * whole load. `whole-load`: percentiles, which cannot be cut.
   */
  readonly over: 'own' | 'overlap' | 'fetch' | 'whole-load';
  /** Loads that it speaks of. */
  readonly loads: readonly string[];
  readonly why: string | null;
}

export interface RawFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Σ records ÷ Σ elapsed of whole interval lines inside the window (design §7). */
export interface SteadyRate {
  readonly recordsPerS: number;
  readonly bytesPerS: number;
  readonly windowMs: number;
  readonly intervals: number;
  readonly stalls: number;
  /**
   * `own`: one load. `overlap`: an interval that is common to several. `fetch`: one consumer, over the fetch time of its
   * whole load.
   */
  readonly over: 'own' | 'overlap' | 'fetch';
  /** Window in wall clock, milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** One load as it ran. What only producers have (failed sends, latencies, a series) is 0, null or empty for a consumer. */
export interface LoadRecord {
  readonly name: string;
  readonly kind: 'producer' | 'consumer';
  readonly topic: string;
  /** The exact command, argument by argument. */
  readonly command: readonly string[];
  readonly asked: number;
  readonly finalCount: number | null;
  readonly exitCode: number | null;
  readonly failedCallbacks: number;
  readonly stderrCutBytes: number;
  readonly totalRecordsPerS: number | null;
  readonly steady: SteadyRate | null;
  /** Whole load, milliseconds as the tool prints them; null when not meaningful. */
  readonly latencyMs: {
    readonly avg: number;
    readonly max: number;
    readonly p50: number;
    readonly p95: number;
    readonly p99: number;
    readonly p999: number;
  } | null;
  /** Each whole interval: end time since the load's start, length, records. */
  readonly series: readonly {
    readonly endMs: number;
    readonly lengthMs: number;
    readonly records: number;
    readonly avgLatencyMs: number | null;
    readonly stall: boolean;
  }[];
  /** From --print-metrics: `group:name` summed or averaged as documented by the parser; absent values are absent. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly cpuCores: number | null;
  /** Of a producer: the rate it was asked to keep; null = none. Absent in older records. */
  readonly askedRecordsPerS?: number | null;
  /** Of a consumer only. */
  readonly consumer?: ConsumerFigures;
}

/** Where a consumer found its records: in the page cache, on the disk, or both (disk bytes read ÷ bytes consumed). */
export type CacheClass = 'hot' | 'partial' | 'cold';

/** What a consumer's summary row says, and where its records came from. Times in ms; null = not known. */
export interface ConsumerFigures {
  /** end − start of the run; rebalance + fetch. */
  readonly elapsedMs: number | null;
  readonly rebalanceMs: number | null;
  readonly fetchMs: number | null;
  readonly fetchRecordsPerS: number | null;
  readonly fetchBytesPerS: number | null;
  /** Why `totalRecordsPerS` must not be used; null when it may. */
  readonly totalRateWhy: string | null;
  /** Disk bytes read ÷ bytes consumed in the window, of the whole machine; null = unknown. */
  readonly diskReadShare: number | null;
  readonly cache: CacheClass | null;
}

/** How a settle or a drain ended, with its curve (design §8). */
export interface SettleOutcome {
  readonly outcome: 'QUIET' | 'PLATEAU' | 'TIMEOUT';
  readonly method: 'wait' | 'sync' | 'watch';
  readonly tookMs: number;
  readonly baseDirtyBytes: number;
  readonly curve: readonly {
    readonly atMs: number;
    readonly dirtyBytes: number;
    readonly deviceWriteBytesPerS: number | null;
  }[];
}

/** Machine readings inside the steady window; null = unknown (the counter does not exist), never 0. */
export interface HostSummary {
  readonly coverage: number;
  readonly samples: number;
  readonly busyCores: number | null;
  readonly stealShare: number | null;
  readonly outsideLabShare: number | null;
  readonly brokerCores: Readonly<Record<string, number | null>>;
  readonly clientCores: Readonly<Record<string, number | null>>;
  readonly deviceWriteBytesPerS: number | null;
  readonly deviceReadBytesPerS: number | null;
  readonly deviceBusyShare: number | null;
  /** All watched interfaces together; on one machine (lo) what one end sends the other receives. */
  readonly network: { readonly receivedBytesPerS: number | null; readonly sentBytesPerS: number | null };
  readonly dirtyBytesMax: number | null;
  readonly psi: { readonly cpuSomeShare: number | null; readonly ioSomeShare: number | null };
  readonly clockSteps: number;
  readonly gaps: number;
}
