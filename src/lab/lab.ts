import type { PartitionEvidence } from '../measure/evidence.ts';
import type { Host } from './host.ts';

/** The brokers and clients under test. Every call is idempotent; each resource is recorded before it is created (design §5). */
export interface Lab {
  /** Brings the lab up, or finds it up. `say` gets short progress texts. Brokers are capsules and outlive the worker. */
  provision(say: (text: string) => void, signal: AbortSignal): Promise<LabFacts>;
  /** Which brokers live, and which incarnation each is. */
  inspect(): Promise<LabState>;
  /**
   * What only a repair brings back: dead brokers, and clients that are gone or are others than were brought up (`broker b1`,
   * `client c1`). Throws when nobody can say.
   */
  lost(): Promise<readonly string[]>;
  /** Brings lost brokers (a new incarnation) and clients back and waits for full ISR of internal topics. */
  repair(say: (text: string) => void, signal: AbortSignal): Promise<LabState>;
  /**
   * Gives all brokers other settings: by a restart as new incarnations, even when nothing differs, or in the running
   * processes. Returns what is in effect now, as `LabFacts.brokerConfig`.
   */
  reconfigure(
    settings: BrokerSettings,
    say: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>>;
  /** Ends every process and removes every folder of the lab. */
  teardown(): Promise<void>;
  /** What is left of the lab after a teardown. */
  leaks(): Promise<Leftovers>;
  client(name: string): Host;
  readonly admin: LabAdmin;
  /** Files of a topic's log on every broker, for what is done to their pages. */
  logFiles(topic: string): Promise<readonly LogFiles[]>;
  /** The command line (without the tool's own arguments) that runs a Kafka class on a client host. */
  javaCommand(
    mainClass: string,
    heapBytes: number,
  ): { argv: readonly string[]; env: Readonly<Record<string, string>> };
  /** One sampler per machine: what it watches there. */
  samplerTargets(): Promise<readonly SamplerTarget[]>;
  /** Where the samplers run, in the same order; asks nobody. */
  samplerHosts(): readonly LabHost[];
}

/** A host of the lab and whose it is: `broker b1`, `client c1`. */
export interface LabHost {
  readonly who: string;
  readonly host: Host;
}

/** What a look for the remains of a lab found, each in a sentence. */
export interface Leftovers {
  /** Processes, ports, folders, objects, disks that are there. Empty = none was found. */
  readonly leaks: readonly string[];
  /** Where nobody may or can look: nothing is proven there, in either direction. */
  readonly unverified: readonly string[];
}

/** Settings of all brokers under which some scenarios run (a whole plot of the design). */
export interface BrokerSettings {
  /** Changes to the config that the lab was planned with; null takes one away. */
  readonly config: Readonly<Record<string, string | null>>;
  readonly heapBytes: number;
  readonly jit: 'full' | 'c1';
  readonly apply: 'restart' | 'dynamic';
  /** Every name that any plot of the experiment sets: what this one does not set goes back. */
  readonly varied: readonly string[];
}

/** What one broker keeps of a topic. */
export interface LogFiles {
  readonly broker: string;
  /** Where its files are. */
  readonly host: Host;
  /** Absolute paths of all its segments there. */
  readonly files: readonly string[];
  /** Those of partitions that it leads: what consumers read. */
  readonly ledFiles: readonly string[];
}

export interface SamplerTarget {
  readonly host: Host;
  /** Block device under the brokers' data (`vda`), verified; null = unknown. */
  readonly device: string | null;
  readonly netInterfaces: readonly string[];
  /** Broker name → pid of its JVM. */
  readonly brokerPids: Readonly<Record<string, number>>;
  /** Where the sampler's script lies there; absent = where it lies here. */
  readonly script?: string;
  /** Clients whose loads run there; absent = all. */
  readonly clients?: readonly string[];
}

export interface LabState {
  readonly brokers: readonly {
    readonly name: string;
    readonly nodeId: number;
    readonly incarnation: number;
    readonly alive: boolean;
    readonly pid: number | null;
    readonly startTicks: number | null;
    /** What it is now, in words, where pid and start do not tell (in pods). */
    readonly identity?: string;
  }[];
  /** Changes whenever any broker is another process than before. */
  readonly identity: string;
}

/** Facts of the lab that the report shows. */
export interface LabFacts {
  readonly bootstrapServers: string;
  readonly kafkaVersion: string;
  readonly javaVersion: string;
  readonly clusterId: string;
  readonly jvmFlags: readonly string[];
  readonly pinning: { readonly brokers: string | null; readonly clients: string | null };
  readonly machine: Readonly<Record<string, string>>;
  readonly brokerConfig: Readonly<Record<string, string>>;
  /** Pods of the lab and the nodes under them, on Kubernetes. */
  readonly pods?: readonly PodFacts[];
  /** Data volumes of the brokers and the devices that they are, on Kubernetes. */
  readonly volumes?: readonly VolumeFacts[];
  /** Of somebody's cluster only. */
  readonly existing?: ExistingFacts;
}

/** What is known of a cluster that is not ours, and what is not. */
export interface ExistingFacts {
  readonly brokers: readonly { readonly id: number; readonly rack: string | null }[];
  /** Settings of the connection that are no secrets: protocol, mechanism. */
  readonly connection: Readonly<Record<string, string>>;
  /** Path and hash of the client properties file (of its keys that are no secrets); null = there is none. */
  readonly clientProperties: { readonly path: string; readonly openKeysSha256: string } | null;
  /** Version of the tools that send, read and ask. */
  readonly toolsVersion: string;
  /** Topics of other experiments that were in the cluster when this one came. */
  readonly othersTopics: readonly string[];
  /** What of the brokers was not seen, and why, each in a sentence. */
  readonly notSeen: readonly string[];
}

export interface PodFacts {
  /** `broker b1`, `client c1`. */
  readonly who: string;
  readonly pod: string;
  readonly node: string | null;
  readonly facts: Readonly<Record<string, string>>;
}

/** Where a broker's data lies, and how sure that is; null = not known. */
export interface VolumeFacts {
  readonly broker: string;
  readonly node: string | null;
  readonly claim: string | null;
  /** Name of the PersistentVolume. */
  readonly volume: string | null;
  /** `vol-0123456789abcdef0`. */
  readonly volumeId: string | null;
  /** Disk in /sys/class/block, by the kernel's own number. */
  readonly device: string | null;
  readonly partition: string | null;
  readonly serial: string | null;
  readonly fileSystem: string | null;
  /** Never `mismatch` in a lab that came up. */
  readonly result: 'verified' | 'mismatch' | 'unverified';
  /** What was seen, in one sentence. */
  readonly seen: string;
}

/** What the brokers say of a partition, in the shape that a verdict reads. */
export type PartitionState = PartitionEvidence;

export interface LabAdmin {
  /** Creates the topic unless it exists; waits for full ISR, preferred leaders and an even leader spread. */
  createTopic(
    topic: {
      name: string;
      partitions: number;
      replication: number;
      config: Readonly<Record<string, string>>;
    },
    signal: AbortSignal,
  ): Promise<readonly PartitionState[]>;
  /** Names of all topics that begin so. */
  topics(prefix: string): Promise<readonly string[]>;
  describeTopic(name: string): Promise<readonly PartitionState[]>;
  /** Latest − earliest, summed over partitions. */
  recordsInLog(name: string): Promise<number>;
  /** Bytes of all replicas on all brokers. */
  bytesOnDisk(name: string): Promise<number>;
  /** Deletes the topic; the brokers remove its folders a moment later (`foldersLeft`). Not found is success. */
  deleteTopic(name: string, signal: AbortSignal): Promise<void>;
  /**
   * Folders on the disks of living brokers of all topics whose names begin so, but for `except`; each with its broker. A
   * dead broker drops its own when it comes back.
   */
  foldersLeft(prefix: string, except?: readonly string[]): Promise<readonly string[]>;
  /** Lines of ISR shrinks, elections and broker errors logged since the given wall time. */
  brokerEvents(sinceMs: number, topic: string): Promise<readonly BrokerEvent[]>;
  close(): Promise<void>;
}

export interface BrokerEvent {
  readonly broker: string;
  readonly atMs: number;
  readonly kind: 'isr-shrunk' | 'leader-elected' | 'disk-full' | 'error';
  readonly line: string;
}
