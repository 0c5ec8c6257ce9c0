import type { Spec } from '../spec/schema.ts';

/**
 * The whole plan of an experiment, fixed before anything is started, hashed and stored (design §3).
 * Later code never re-derives any of it.
 */
export interface Plan {
  readonly format: 1;
  readonly name: string;
  readonly question: string;
  /** SHA-256 of the canonical JSON of the resolved spec. */
  readonly specSha256: string;
  /** The resolved spec: validated, every default filled in. */
  readonly spec: Spec;
  /** The seed the orders were drawn from. `auto` = from specSha256, `run` = from the experiment key. */
  readonly seed: string;
  readonly metric: 'rate';
  /** A share, e.g. 0.05: effects inside ± this margin count as "no difference larger than the margin". */
  readonly smallestEffectOfInterest: number;
  readonly scenarios: readonly Scenario[];
  /** orders[b-1] = scenario slugs of block b in the order they run. */
  readonly orders: readonly (readonly string[])[];
  /** The order of block 0's passes: warmup.orders[p-1] for pass p. */
  readonly warmup: {
    readonly orders: readonly (readonly string[])[];
    readonly maxPasses: number;
    /** Two passes agree when every scenario's steady rate is within this share of the pass before. */
    readonly agreeWithin: number;
  };
  readonly contrasts: readonly Contrast[];
  readonly retries: number;
  readonly deadlineMs: number;
  readonly lab: LabPlan;
  readonly settle: SettlePlan;
  readonly window: WindowPlan;
  /** null: the default folder of the home. */
  readonly store: { readonly folder: string | null };
  /** Files of records that loads read, by name; written once on each client host. */
  readonly payloads: readonly PayloadPlan[];
  readonly estimates: Estimates;
  /** Warnings about the spec (unused hosts, confounds …). */
  readonly advice: readonly Advice[];
}

export interface Scenario {
  /** Stable, e.g. `batch=64KiB` or `acks=all,rf=3`; safe as a folder name. The all-baseline one may be `baseline`. */
  readonly slug: string;
  /** Factor → level name. */
  readonly levels: Readonly<Record<string, string>>;
  readonly topics: readonly TopicPlan[];
  readonly loads: readonly LoadPlan[];
}

export interface TopicPlan {
  /** The name in the spec (`main`); the real name is made per attempt by names.ts. */
  readonly name: string;
  readonly partitions: number;
  readonly replication: number;
  readonly config: Readonly<Record<string, string>>;
}

/** One perf-tool process of a scenario. `processes: 2` gives two loads, `p-1` and `p-2`. */
export interface LoadPlan {
  readonly name: string;
  readonly kind: 'producer';
  readonly topic: string;
  /** Client host, e.g. `c1`. */
  readonly on: string;
  readonly count: CountPlan;
  /** Records per second of this process; null = as fast as it can. */
  readonly recordsPerS: number | null;
  readonly payload: string;
  /** Native Kafka properties, all as strings. */
  readonly config: Readonly<Record<string, string>>;
}

/** `records` is exact. `durationMs` becomes a count at freeze, the same in every block. */
export type CountPlan =
  | { readonly kind: 'records'; readonly records: number }
  | { readonly kind: 'duration'; readonly durationMs: number };

export interface PayloadPlan {
  readonly name: string;
  readonly kind: 'json';
  readonly lines: number;
  /** Bytes of a record without its newline. */
  readonly recordBytes: number;
  /** Share of a record that is `x` padding. */
  readonly padding: number;
  readonly seed: number;
  /** The same lines in another order, for loads side by side; absent = 0, as drawn. */
  readonly variant?: number;
}

/** A comparison of two scenarios: effect = numerator ÷ denominator. */
export interface Contrast {
  readonly name: string;
  readonly numerator: string;
  readonly denominator: string;
  /** Every setting that differs, implied ones included: path → [denominator's value, numerator's value]. */
  readonly changes: Readonly<Record<string, readonly [string, string]>>;
  /** Paths that change although no level names them (idempotence by acks, count by duration), and why. */
  readonly implied?: Readonly<Record<string, string>>;
  /** More than one changed setting: no causal wording. */
  readonly confounded: boolean;
}

export interface LabPlan {
  readonly target: 'local';
  readonly brokers: {
    readonly count: number;
    readonly kafka: string;
    readonly heapBytes: number;
    /** Full JIT by default; a lab that runs C1 only says so. */
    readonly jit: 'full' | 'c1';
    readonly config: Readonly<Record<string, string>>;
  };
  readonly clients: { readonly names: readonly string[]; readonly heapBytes: number };
  /** Brokers and clients on different cores; `auto`: where there are four or more (docs/decisions/0005). */
  readonly pin: boolean | 'auto';
}

export interface SettlePlan {
  readonly method: 'wait' | 'sync';
  readonly quietMs: number;
  readonly limitMs: number;
  /** How long the drain after a load is watched at most. */
  readonly drainMs: number;
  readonly dirtyBytes: number;
  readonly deviceWriteBytesPerS: number;
}

export interface WindowPlan {
  /** null = auto, from block 0. */
  readonly rampMs: number | null;
  readonly over: 'own' | 'overlap';
  /** Shorter steady windows are void. */
  readonly minMs: number;
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

export interface Estimates {
  readonly trials: number;
  readonly durationMs: Range;
  /** Bytes written to disks of the lab over the whole experiment, all copies. */
  readonly writtenBytes: Range;
  /** The plan never writes more than this: counts are cut at freeze (null = no bound given). */
  readonly writtenBytesLimit: number | null;
  /** The most that lies on disk at one time. */
  readonly peakDiskBytes: number;
  /** What sd(d) of 5, 10, 17 % would give: expected half-width and detectable effect, as shares. */
  readonly precision: readonly {
    readonly sd: number;
    readonly halfWidth: number;
    readonly detectable: number;
  }[];
}

export interface Advice {
  readonly code: string;
  readonly message: string;
}

/** What only the machines can say, fixed after block 0 and before block 1 (design §3). */
export interface Frozen {
  readonly format: 1;
  readonly planSha256: string;
  readonly rampMs: number;
  readonly rampFrom: 'spec' | 'block-0';
  readonly passes: number;
  /** False: some scenario's rate still moved by more than `agreeWithin` in the last pass. */
  readonly warm: boolean;
  readonly stillWarming: readonly string[];
  /** scenario slug → load name → records. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** First guess of the half-width from the within-trial spread of block 0's last pass; null if unknown. */
  readonly expectedHalfWidth: number | null;
  readonly notes: readonly string[];
}
