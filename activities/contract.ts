import type { Deviation } from '../src/design/deviation.ts';
import type { Leftovers } from '../src/lab/lab.ts';
import type { PartitionEvidence } from '../src/measure/evidence.ts';
import type { Flag, Reason } from '../src/measure/reasons.ts';
import type { Loaded, Prepared, TrialEvidence, Verified } from '../src/measure/trial-evidence.ts';
import type { SettleOutcome } from '../src/measure/trial-record.ts';
import type { TrialName } from '../src/design/names.ts';
import type { ExpectationTally, ExperimentOutcome } from '../src/temporal/status.ts';

export type {
  Loaded,
  PhaseFailure,
  Prepared,
  TrialEvidence,
  Verified,
} from '../src/measure/trial-evidence.ts';

export type { Leftovers } from '../src/lab/lab.ts';

export type Partition = PartitionEvidence;

/** Where an experiment lives: its key and the folder of its results. Every activity gets it, and reads the plan there. */
export interface ExperimentRef {
  readonly key: string;
  readonly workflowId: string;
  readonly store: string;
  /** Brokers and clients are on other machines than the worker: it takes no machine for itself. */
  readonly remote?: true;
}

/** What the workflow needs of the plan; the plan itself is in the store under its hash. */
export interface PlanBrief {
  readonly ref: ExperimentRef;
  readonly name: string;
  readonly question: string;
  readonly planSha256: string;
  readonly hostQueue: string;
  readonly scenarios: readonly string[];
  readonly orders: readonly (readonly string[])[];
  /** Orders of the blocks that may be added while it runs: drawn with the others, by the same rule. */
  readonly spareOrders: readonly (readonly string[])[];
  readonly warmupOrders: readonly (readonly string[])[];
  readonly maxPasses: number;
  readonly retries: number;
  readonly deadlineMs: number;
  /** Longest time a settle and a drain may take. */
  readonly settleLimitMs: number;
  readonly drainLimitMs: number;
  /** Search attributes that the server knows; others are not upserted. */
  readonly searchAttributes: readonly string[];
  /** Scenario → broker settings that it runs under; absent = the same for all. */
  readonly plots?: Readonly<Record<string, string>>;
  /** Labs that share the blocks, one after the other; absent = 1. */
  readonly labs?: number;
  /** Blocks from which on it may stop because every interval is narrow enough; absent = it never does. */
  readonly stopFrom?: number;
  /** A capacity is searched between block 0 and block 1. */
  readonly searches?: true;
  /** Credits are used up with this scenario before block 1. */
  readonly depletes?: string;
  /** Scenario → longest time that filling its topics may take; absent = none is filled. */
  readonly fillLimitMs?: Readonly<Record<string, number>>;
  /** A limit of money is looked at before each block. */
  readonly costs?: true;
  /** Metrics of the lab are with AWS, and read at the end. */
  readonly metrics?: true;
  /** The lab is kept for so long after the report. */
  readonly keepMs?: number;
  /** A rehearsal: nothing of it is a measurement. */
  readonly smoke?: true;
}

/** Records to send, by load name. */
export type Counts = Readonly<Record<string, number>>;

export interface TrialInput extends TrialName {
  readonly ref: ExperimentRef;
  readonly hostQueue: string;
  /** 1-based position in which it runs within its block. */
  readonly position: number;
  readonly counts: Counts;
  /** Load → records/s where block 0 fixes them: the grid of a search. */
  readonly rates?: Readonly<Record<string, number>>;
  /** From 1; absent = 1. */
  readonly lab?: number;
  /** The ramp to cut; 0 in block 0. */
  readonly rampMs: number;
  /** Longest time that filling its topics may take; absent = none is filled. */
  readonly fillLimitMs?: number;
  /** Hard deadline of its loads. */
  readonly loadLimitMs: number;
  readonly settleLimitMs: number;
  readonly drainLimitMs: number;
  readonly searchAttributes: readonly string[];
  /** Of a rehearsal. */
  readonly smoke?: true;
}

/** What an attempt came to; the whole record is in the store. */
export interface TrialBrief extends TrialName {
  readonly id: string;
  readonly position: number;
  readonly valid: boolean;
  readonly newAttempt: boolean;
  readonly reasons: readonly Reason[];
  readonly flags: readonly Flag[];
  readonly recordsPerS: number | null;
  readonly recordSha256: string;
}

export interface LabBrief {
  readonly kafkaVersion: string;
  readonly brokers: number;
  readonly bootstrapServers: string;
}

/** Answer of `planPass`: the counts of the next pass of block 0, or that it is warm enough. */
export interface PassPlan {
  readonly enough: boolean;
  /** Why: two passes agree, or the cap. */
  readonly message: string;
  readonly counts: Readonly<Record<string, Counts>>;
  readonly loadLimitMs: Readonly<Record<string, number>>;
}

export interface FrozenBrief {
  readonly frozenSha256: string;
  readonly rampMs: number;
  readonly warm: boolean;
  readonly stillWarming: readonly string[];
  readonly counts: Readonly<Record<string, Counts>>;
  readonly loadLimitMs: Readonly<Record<string, number>>;
  readonly expectedHalfWidth: number | null;
  /** Blocks of these counts that design.budget.written has room for; null = no limit. */
  readonly mostBlocks: number | null;
  /** Passes that block 0 took. */
  readonly passes?: number;
  /** Scenario → load → records/s, of the grid of a search. */
  readonly rates?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Scenarios that are not measured, and why. */
  readonly leftOut?: Readonly<Record<string, string>>;
}

/** The next run of a search, at a rate that the runs before suggest; null = the candidates are known. */
export interface SearchStep {
  readonly message: string;
  readonly trial: {
    readonly scenario: string;
    readonly counts: Counts;
    readonly rates: Readonly<Record<string, number>>;
    readonly loadLimitMs: number;
  } | null;
}

export interface AnalysisBrief {
  readonly decided: boolean;
  readonly answer: string;
  readonly words: Readonly<Record<string, string>>;
  /** Absent when the spec expects nothing. */
  readonly expectations?: ExpectationTally;
}

export interface MetricsBrief {
  readonly message: string;
}

export interface Conclusion {
  readonly outcome: ExperimentOutcome;
  readonly message: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly leaks: readonly string[];
  /** Where nobody could look whether something is left; absent = everywhere was looked. */
  readonly unverified?: readonly string[];
  readonly notes: readonly string[];
}

/** Activities that any worker may run. */
export interface PlanActivities {
  readonly planExperiment: (input: { spec: unknown; key: string; workflowId: string }) => Promise<PlanBrief>;
}

/** Activities bound to the machine of the lab; they run on the plan's host queue. */
export interface HostActivities {
  /** Takes the machine unless another experiment has it; then says which. */
  readonly tryLease: (ref: ExperimentRef) => Promise<{ readonly holder: string | null }>;
  readonly waitForLease: (ref: ExperimentRef) => Promise<void>;
  /** Renews the lease until it is cancelled, for as long as a pause lasts. */
  readonly holdLease: (ref: ExperimentRef) => Promise<void>;
  readonly releaseLease: (ref: ExperimentRef) => Promise<void>;
  readonly provisionLab: (ref: ExperimentRef) => Promise<LabBrief>;
  /** Repairs the lab when a broker or client is lost; says whether it did. */
  readonly mendLab: (ref: ExperimentRef) => Promise<{ readonly repaired: boolean; readonly message: string }>;
  /** Gives all brokers the settings of a plot, by a restart even when nothing differs, or as they run. */
  readonly applyPlot: (input: { ref: ExperimentRef; plot: string }) => Promise<{ readonly message: string }>;
  /** Takes the lab down and provisions the next one. */
  readonly renewLab: (input: { ref: ExperimentRef; lab: number }) => Promise<LabBrief>;
  readonly planSearch: (ref: ExperimentRef) => Promise<SearchStep>;
  /** Whether credits are used up, from the passes of the depletion so far. */
  readonly planDepletion: (input: {
    ref: ExperimentRef;
    startedAtMs: number;
  }) => Promise<{ readonly over: boolean; readonly message: string }>;
  /** Whether every interval is narrow enough to stop after this block. */
  readonly assessBlocks: (input: {
    ref: ExperimentRef;
    block: number;
  }) => Promise<{ readonly enough: boolean; readonly message: string }>;
  /** Whether the next block stays within the budget of money; `sinceMs`: since when something is billed. */
  readonly assessBudget: (input: {
    ref: ExperimentRef;
    block: number;
    sinceMs: number;
  }) => Promise<{ readonly enough: boolean; readonly message: string }>;
  readonly planPass: (input: { ref: ExperimentRef; pass: number }) => Promise<PassPlan>;
  readonly freezeExperiment: (input: { ref: ExperimentRef; passes: number }) => Promise<FrozenBrief>;
  readonly prepareTrial: (trial: TrialInput) => Promise<Prepared>;
  /** Puts into its topics what has to be there before a load, and prepares the page cache. */
  readonly fillTrial: (input: { trial: TrialInput; prepared: Prepared }) => Promise<Prepared>;
  readonly settleTrial: (trial: TrialInput) => Promise<SettleOutcome>;
  readonly runLoads: (input: { trial: TrialInput; prepared: Prepared }) => Promise<Loaded>;
  readonly drainTrial: (trial: TrialInput) => Promise<SettleOutcome>;
  readonly verifyTrial: (input: { trial: TrialInput; prepared: Prepared }) => Promise<Verified>;
  /** Ends whatever of the attempt still runs. */
  readonly stopTrial: (trial: TrialInput) => Promise<void>;
  readonly collectTrial: (input: { trial: TrialInput; evidence: TrialEvidence }) => Promise<TrialBrief>;
  readonly releaseTrial: (trial: TrialInput) => Promise<void>;
  readonly exportHistories: (input: {
    ref: ExperimentRef;
    workflows: readonly { readonly id: string; readonly file: string }[];
  }) => Promise<void>;
  /** Records what was changed by hand while it ran, and analyses. */
  readonly analyseExperiment: (input: {
    ref: ExperimentRef;
    deviations: readonly Deviation[];
  }) => Promise<AnalysisBrief>;
  /** Puts everything rendered into the store; returns where it is. */
  readonly exportResults: (input: {
    ref: ExperimentRef;
    conclusion: Conclusion;
  }) => Promise<{ readonly folder: string }>;
  readonly teardownLab: (ref: ExperimentRef) => Promise<void>;
  /** Reads what AWS counted; after the teardown, since points come late and nodes do not wait for them. */
  readonly readMetrics: (ref: ExperimentRef) => Promise<MetricsBrief>;
  /** What is left of the lab; workers of before gave the leaks alone. */
  readonly verifyGone: (ref: ExperimentRef) => Promise<Leftovers | readonly string[]>;
}

export type Activities = PlanActivities & HostActivities;
