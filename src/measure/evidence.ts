import type { CacheReading } from './cache-class.ts';
import type { ConsumerOutput } from './consumer.ts';
import type { ProducerOutput } from './producer.ts';
import type { Reason } from './reasons.ts';
import type { ToolErrors } from './stderr.ts';
import type { HostSummary, SettleOutcome } from './trial-record.ts';
import type { TrialMeasurement } from './trial-rate.ts';

/** All that a verdict on one attempt is made from (design §9). Plain data; null = not known. */
export interface Evidence {
  readonly loads: readonly LoadEvidence[];
  readonly topics: readonly TopicEvidence[];
  /** Every broker and client, as prepared and as found after the load. */
  readonly identities: readonly IdentityEvidence[];
  /** What brokers logged about the topics from the end of prepare (after their creation) to the end of verify. */
  readonly events: readonly BrokerEventEvidence[];
  readonly machines: readonly MachineEvidence[];
  readonly measurement: TrialMeasurement;
  /** Shorter steady windows are void. 0 where none is needed (a pilot pass). */
  readonly minWindowMs: number;
  /** Loads of a moment, which need not run side by side for long enough. */
  readonly rehearsal?: true;
  readonly settle: SettleEvidence | null;
  /** Topics whose page cache was prepared; absent = none. */
  readonly caches?: readonly CacheEvidence[];
  /**
   * Reasons that the caller has already: a phase that failed, an abort, a disk that is full. With one of these, things
   * that were never looked at are no findings of their own.
   */
  readonly known: readonly Reason[];
}

export type LoadEvidence = ProducerEvidence | ConsumerEvidence;

interface AnyLoadEvidence {
  readonly name: string;
  readonly topic: string;
  /** Records. */
  readonly asked: number;
  readonly state: 'absent' | 'running' | 'exited' | 'lost';
  readonly exit: ExitEvidence | null;
  readonly errors: ToolErrors;
  /** Failed sends in all of stderr, cut parts included. */
  readonly failedCallbacks: number;
  /** Cores that the process may use; null = unknown. */
  readonly allowedCores: number | null;
  /** Cores that it did use in the window; null = unknown. */
  readonly usedCores: number | null;
}

export interface ProducerEvidence extends AnyLoadEvidence {
  readonly kind: 'producer';
  readonly output: ProducerOutput;
  /** null = as fast as it can. */
  readonly askedRecordsPerS: number | null;
  readonly recordBytes: number;
  /** With transactions the log holds markers too. */
  readonly transactional: boolean;
}

export interface ConsumerEvidence extends AnyLoadEvidence {
  readonly kind: 'consumer';
  readonly output: ConsumerOutput;
  /** max.poll.records: the last poll may overshoot by less than this. */
  readonly maxPollRecords: number;
}

export interface ExitEvidence {
  readonly code: number;
  readonly by: 'itself' | 'deadline' | 'killed';
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export interface PartitionEvidence {
  readonly partition: number;
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
}

export interface TopicEvidence {
  /** Name in the spec. */
  readonly topic: string;
  /** Latest − earliest over all partitions after the load, less what was there before; null = could not be asked. */
  readonly inLog: number | null;
  /** Records that were filled in before the load; absent = none. */
  readonly filled?: number;
  readonly before: readonly PartitionEvidence[] | null;
  readonly after: readonly PartitionEvidence[] | null;
}

export interface IdentityEvidence {
  /** `broker b2`, `client c1`. */
  readonly who: string;
  readonly before: string;
  /** null = it did not answer. */
  readonly after: string | null;
}

export interface BrokerEventEvidence {
  readonly broker: string;
  /** As in src/lab/lab.ts; other kinds are ignored. */
  readonly kind: string;
  readonly line: string;
}

export interface MachineEvidence {
  readonly name: string;
  /** Over the trial's window; null = there are no samples. */
  readonly summary: HostSummary | null;
  /** Share of the window in which a control group of the lab was throttled; null = unknown; absent = not limited. */
  readonly throttledShare?: number | null;
}

export interface CacheEvidence {
  readonly topic: string;
  readonly asked: 'hot' | 'cold';
  readonly reading: CacheReading;
}

export interface SettleEvidence {
  readonly outcome: SettleOutcome;
  /** Quiet is below the base + this many bytes. */
  readonly dirtyBytes: number;
}
