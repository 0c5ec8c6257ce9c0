import type { Metric, Spec } from '../spec/schema.ts';
import type { Bound } from '../spec/units.ts';
import type { ExistingPlan } from './existing-plan.ts';
import type { KubernetesPlan } from './kubernetes-plan.ts';
import type { Stamped } from './smoke.ts';

export type { Metric } from '../spec/schema.ts';

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
  readonly metric: Metric;
  /** A share, e.g. 0.05: effects inside ± this margin count as "no difference larger than the margin". */
  readonly smallestEffectOfInterest: number;
  readonly scenarios: readonly Scenario[];
  /** Scale of a rehearsal, not a measurement: every page and file says so. */
  readonly smoke?: true;
  /** What the command line changed in the spec, in words. */
  readonly overrides: readonly string[];
  /** Settings of the brokers by name; each is applied anew in every block (split plots). One = never applied anew. */
  readonly plots: Readonly<Record<string, PlotPlan>>;
  /** orders[b-1] = scenario slugs of block b in the order they run, those of one plot together; drawn for `until.maxBlocks`. */
  readonly orders: readonly (readonly string[])[];
  /** The order of block 0's passes: warmup.orders[p-1] for pass p. */
  readonly warmup: {
    readonly orders: readonly (readonly string[])[];
    readonly maxPasses: number;
    /** Two passes agree when every scenario's steady rate is within this share of the pass before. */
    readonly agreeWithin: number;
  };
  readonly contrasts: readonly Contrast[];
  readonly expectations: readonly ExpectationPlan[];
  /** Stop when every interval is narrow enough; null = after the planned blocks. */
  readonly until: UntilPlan | null;
  /** Labs provisioned one after the other, for equal shares of the blocks. */
  readonly labs: number;
  /** Series that are cut after block 0; see `while` of a factor. */
  readonly series: readonly SeriesPlan[];
  readonly search: SearchPlan | null;
  readonly deplete: DepletePlan | null;
  /** Time that the lab is kept after the report; null = none. */
  readonly keepMs: number | null;
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
  /** Factor → level name; a conditional factor that does not apply is absent. */
  readonly levels: Readonly<Record<string, string>>;
  /** Key of `plots`: the broker settings it runs under. */
  readonly plot: string;
  readonly topics: readonly TopicPlan[];
  readonly loads: readonly LoadPlan[];
  /** Of the grid of a capacity search only: the rate of `search.load` is the candidate of `of` × this. */
  readonly grid?: { readonly of: string; readonly factor: number };
}

/** Broker settings that some scenarios share. */
export interface PlotPlan {
  /** Changes to the lab's own broker config; native text. null removes. */
  readonly config: Readonly<Record<string, string | null>>;
  readonly heapBytes: number;
  readonly jit: 'full' | 'c1';
  /** `dynamic`: altered in running brokers; `restart`: brokers are restarted, even when nothing changed, and warmed anew. */
  readonly apply: 'restart' | 'dynamic';
}

export interface TopicPlan {
  /** The name in the spec (`main`); the real name is made per attempt by names.ts. */
  readonly name: string;
  readonly partitions: number;
  readonly replication: number;
  readonly config: Readonly<Record<string, string>>;
  /** Records that are in the topic before a load starts; null = empty. */
  readonly fill: FillPlan | null;
}

export interface FillPlan {
  readonly records: number;
  readonly payload: string;
  /** `experiment`: the topic is filled once and kept; no load may write to it. */
  readonly each: 'experiment' | 'attempt';
  /** The page cache before a load: as it is, all read once, or dropped on every broker. */
  readonly cache: 'asis' | 'hot' | 'cold';
}

/** One perf-tool process of a scenario. `processes: 2` gives two loads, `p-1` and `p-2`. */
export type LoadPlan = ProducerLoad | ConsumerLoad;

interface AnyLoad {
  readonly name: string;
  readonly topic: string;
  /** Client host, e.g. `c1`. */
  readonly on: string;
  readonly heapBytes: number;
  /** Native Kafka properties, all as strings. */
  readonly config: Readonly<Record<string, string>>;
}

export interface ProducerLoad extends AnyLoad {
  readonly kind: 'producer';
  readonly count: CountPlan;
  /** Records per second of this process; null = as fast as it can. */
  readonly recordsPerS: number | null;
  readonly payload: string;
  /** Length of each transaction; null = none. */
  readonly transactionMs: number | null;
}

export interface ConsumerLoad extends AnyLoad {
  readonly kind: 'consumer';
  readonly count: CountPlan | TopicCount;
  /** Part of the group's name of each attempt; members of one group share it. */
  readonly group: string;
  /** Members of the group. */
  readonly members: number;
  readonly from: 'earliest' | 'latest';
  readonly idleMs: number;
}

/** `records` is exact. `durationMs` becomes a count at freeze, the same in every block. */
export type CountPlan =
  | { readonly kind: 'records'; readonly records: number }
  | { readonly kind: 'duration'; readonly durationMs: number };

/** All that is in the topic and what the trial's producers write to it, × `share` (of the members of one group). */
export interface TopicCount {
  readonly kind: 'topic';
  readonly share: number;
}

/** A file of records that loads read; written once on each client host. */
export type PayloadPlan = JsonPayload | RandomPayload | FilePayload;

interface AnyPayload {
  readonly name: string;
  readonly lines: number;
  /** Bytes of a record without its newline; of a file the mean, which need not be whole. */
  readonly recordBytes: number;
}

export interface JsonPayload extends AnyPayload {
  readonly kind: 'json';
  /** Share of a record that is `x` padding. */
  readonly padding: number;
  readonly seed: number;
  /** The same lines in another order, for loads side by side; absent = 0, as drawn. */
  readonly variant?: number;
}

/** Printable ASCII at random: nothing repeats, a codec finds 6.6 of 8 bits. */
export interface RandomPayload extends AnyPayload {
  readonly kind: 'random';
  readonly seed: number;
  readonly variant?: number;
}

/** A file of the user, kept in the home by its hash. */
export interface FilePayload extends AnyPayload {
  readonly kind: 'file';
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
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
  /** Why the two have no common measure (one is a combined rate, loads differ in kind); absent = they have. */
  readonly incomparable?: string;
}

/** pass: the whole interval is inside; fail: the whole interval is outside; else inconclusive. */
export interface ExpectationPlan {
  /** As written: `rate of codec=lz4 ≥ 60 MiB/s`. */
  readonly text: string;
  readonly metric: Metric;
  readonly of: string;
  readonly versus: string | null;
  readonly min: Bound | null;
  readonly max: Bound | null;
}

/** Looked at after each block from `minBlocks` on; intervals are widened by 1.10 (facts: statistics). */
export interface UntilPlan {
  /** A share, e.g. 0.03. */
  readonly halfWidth: number;
  readonly minBlocks: number;
  readonly maxBlocks: number;
}

/** Levels of one factor in order, other levels alike: those beyond the first that falls short are left out after block 0. */
export interface SeriesPlan {
  readonly factor: string;
  readonly scenarios: readonly string[];
  readonly achievedMin: number;
}

export interface SearchPlan {
  /** Producer of the spec whose total rate is searched, and its loads. */
  readonly producer: string;
  readonly loads: readonly string[];
  readonly unit: 'records/s' | 'bytes/s';
  /** Records per second, over all loads. */
  readonly fromPerS: number;
  readonly toPerS: number;
  readonly resolution: number;
  readonly pass: SearchCondition;
  /** What is searched: scenarios as the spec makes them, each with the slugs of its grid around the candidate. */
  readonly targets: readonly { readonly scenario: string; readonly grid: readonly string[] }[];
}

/** Shares and milliseconds; absent = no condition. */
export interface SearchCondition {
  readonly achievedMin?: number;
  readonly p50MaxMs?: number;
  readonly p95MaxMs?: number;
  readonly p99MaxMs?: number;
  readonly p999MaxMs?: number;
}

/** Before block 1 the baseline runs unlimited until its bytes/s, once above upper, fall below lower, or the limit. */
export interface DepletePlan {
  readonly scenario: string;
  readonly upperBytesPerS: number;
  readonly lowerBytesPerS: number;
  readonly limitMs: number;
}

export interface LabPlan {
  readonly target: 'local' | 'kubernetes' | 'existing';
  readonly brokers: {
    /** That are ours: 0 in somebody's cluster. */
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
  /** Of a lab on Kubernetes only. */
  readonly kubernetes?: KubernetesPlan;
  /** Of somebody's cluster only. */
  readonly existing?: ExistingPlan;
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
export interface Frozen extends Stamped {
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
  /** Of a search: candidate rate of each target, records/s over all loads; null = none was found. */
  readonly candidates?: Readonly<Record<string, number | null>>;
  /** Of a search: targets whose runs said nothing, as often as may be tried, and why; they have no candidate. */
  readonly stuck?: Readonly<Record<string, string>>;
  /** scenario slug → load name → records/s, where block 0 fixes it (the grid of a search). */
  readonly rates?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Scenarios that are not measured, and why (a series that ended). */
  readonly leftOut?: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}
