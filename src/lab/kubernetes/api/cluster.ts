import type { Kind, Kinds } from './kinds.ts';

export { ClusterError, isClusterError } from './cluster-error.ts';
export type { ClusterErrorCode } from './cluster-error.ts';
export type { CustomObject, Kind, Kinds } from './kinds.ts';

/** The label that every object of an experiment carries; its value is the experiment key. */
export const EXPERIMENT_LABEL = 'assay.dev/experiment';
export const FIELD_MANAGER = 'assay';

/**
 * A Kubernetes cluster, as far as Assay needs it. Nothing else of Assay knows the client library.
 * Every call settles by its deadline, retries by itself what may be asked again (within the deadline), and rejects
 * with a ClusterError; when its signal is aborted, with the signal's reason.
 */
export interface Cluster {
  /** The context's name, or `in-cluster`. */
  readonly name: string;
  /** Address of the API server, for messages. */
  readonly server: string;

  /** The object, or null when there is none. */
  get<K extends Kind>(ref: Ref<K>, call?: Call): Promise<Kinds[K] | null>;
  /** All of them, page by page. A kind that is not installed rejects with `not-found`. */
  list<K extends Kind>(kind: K, which?: Selection, call?: Call): Promise<readonly Kinds[K][]>;
  /**
   * Server-side apply as field manager `assay`; creates the object where there is none. The object must carry its
   * kind and the experiment label; one that exists without that very label is refused (`foreign`, untouched). Fields
   * that another manager owns are a `conflict`, never forced.
   */
  apply<K extends Kind>(object: Typed<K>, call?: Call): Promise<Applied<K>>;
  /**
   * Creates the object unless one with our label is there (then it is left as it is). `foreign` when one without it is.
   * `created: false` may also be our own earlier call whose answer was lost.
   */
  createIfAbsent<K extends Kind>(object: Typed<K>, call?: Call): Promise<Applied<K> & { created: boolean }>;
  /**
   * Deletes exactly the object of that UID. Not found, or another one under its name, is success.
   * gone: false = it is still there, terminating (finalizers, grace time): look again with `get`.
   */
  delete(ref: Ref & { readonly uid: string }, how?: Deletion, call?: Call): Promise<{ gone: boolean }>;

  /** Whether we may; asks the server (SelfSubjectAccessReview). */
  may(access: Access, call?: Call): Promise<{ allowed: boolean; reason: string }>;
  version(call?: Call): Promise<ServerVersion>;
  /** What a container has printed, as far as the kubelet keeps it: one look, never a stream. */
  readLog(from: LogSource, call?: Call): Promise<string>;
  /** Events about one object, oldest first. */
  events(ref: Ref & { readonly uid?: string }, call?: Call): Promise<readonly ObjectEvent[]>;
  /** Runs a short command in a container. Never rejects but for an aborted signal: the outcome says what is known. */
  exec(target: ExecTarget, argv: readonly string[], options: ExecOptions): Promise<ExecOutcome>;
}

/** Names one object. Namespaced kinds need a namespace: there is no default one. */
export interface Ref<K extends Kind = Kind> {
  readonly kind: K;
  readonly name: string;
  readonly namespace?: string;
}

/** An object that says what it is. */
export type Typed<K extends Kind> = Kinds[K] & { readonly kind: K };

export interface Applied<K extends Kind> {
  /** As the server has it now. */
  readonly object: Kinds[K];
  readonly uid: string;
}

export interface Selection {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** Equal labels; null = the label is there, whatever its value. */
  readonly labels?: Readonly<Record<string, string | null>>;
  /** Equal fields, where the server has an index for them, e.g. `spec.nodeName`. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** How long a call may take, retries included (default 30 s), and how it is called off. */
export interface Call {
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

export interface Deletion {
  /** Default Background: dependents go after it. */
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodS?: number;
}

export interface Access {
  readonly verb: string;
  /** API group; '' = core. */
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

export interface ServerVersion {
  /** E.g. `v1.36.3`, `v1.33.1-eks-1234567`. */
  readonly gitVersion: string;
  readonly minor: number;
  readonly platform: string;
}

export interface LogSource {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Of the container before its last restart. */
  readonly previous?: boolean;
  readonly tailLines?: number;
  readonly sinceS?: number;
  /** Each line with the time at which the runtime took it. */
  readonly timestamps?: boolean;
  /** Default 4 MiB. */
  readonly limitBytes?: number;
}

export interface ObjectEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** Of the last one, ms since the epoch; null when it says none. */
  readonly atMs: number | null;
}

export interface ExecTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface ExecOptions {
  readonly deadlineMs: number;
  /** Most bytes of stdout that are taken; more ends the call as `unknown`. Default 16 MiB. */
  readonly stdoutLimitBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * What is known of a command in a pod. Even after `exit` its output may be cut: commands frame it.
 * After `unknown` with started 'maybe' it may be running still: nothing here ends it.
 */
export type ExecOutcome =
  | { readonly kind: 'exit'; readonly code: number; readonly stdout: Buffer; readonly stderr: string }
  | {
      readonly kind: 'unknown';
      /** One sentence. */
      readonly why: string;
      /** 'no': the command was certainly not started. */
      readonly started: 'no' | 'maybe';
      /** Set where the API server's refusal has a meaning of its own. */
      readonly code:
        | 'not-found'
        | 'forbidden'
        | 'expired-credentials'
        | 'unreachable'
        | 'deadline'
        | 'cut'
        | 'other';
      readonly stdout: Buffer;
      readonly stderr: string;
    };
