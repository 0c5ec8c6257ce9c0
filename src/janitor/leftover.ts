/** What the janitor finds, and what becomes of it: plain data, kept in a workflow's history and printed as JSON. */

export type Place = 'cluster' | 'ec2' | 'machine';

/** What Temporal says of the experiment that made something. */
export type WorkflowState =
  | { readonly kind: 'open' }
  /** `how`: `terminated`, `completed`, … */
  | { readonly kind: 'closed'; readonly how: string }
  /** Never heard of, or its history has gone already. Another Temporal than the experiment's says so too. */
  | { readonly kind: 'not-found' }
  /** Nobody could be asked. */
  | { readonly kind: 'unknown'; readonly why: string };

export interface Verdict {
  readonly remove: boolean;
  /** One sentence without a full stop. */
  readonly why: string;
}

/** One thing of a leftover: an object of the cluster, a volume, a folder, a process. */
export interface Part {
  /** `Pod bench/kafka-0`. */
  readonly name: string;
  /** Of an object; null = has none. */
  readonly uid: string | null;
}

/** All that is left of one experiment in one place, or one volume that is left of it. */
export interface Leftover {
  readonly place: Place;
  /** Experiment key, or id of the volume. */
  readonly id: string;
  readonly key: string;
  /** null = it does not say. */
  readonly workflowId: string | null;
  readonly owner: string | null;
  /** ISO 8601; null = it does not say. */
  readonly expiresAt: string | null;
  readonly workflow: WorkflowState;
  readonly parts: readonly Part[];
  readonly verdict: Verdict;
}

/** Where was looked, or why not. */
export interface Look {
  readonly place: Place;
  /** `complete`: all was seen; `partly`: `says` names what not; `failed`: nothing is known; `skipped`: nothing to look at. */
  readonly state: 'complete' | 'partly' | 'failed' | 'skipped';
  readonly says: string;
}

export interface Looked {
  readonly looks: readonly Look[];
  readonly leftovers: readonly Leftover[];
}

/** What came of removing a leftover. */
export interface Removal {
  /** `left`: it may not go any more, nothing was touched; `incomplete`: some of it is still there. */
  readonly outcome: 'removed' | 'incomplete' | 'left';
  readonly why: string;
  /** What is still there, and where nobody may look; each in a sentence. */
  readonly remains: readonly string[];
}

/** Where to look. */
export interface Scope {
  /** Context of the kubeconfig; null = the current one, in a pod the cluster around it. */
  readonly context: string | null;
  /** Namespaces to look in; null = those of the environment (ASSAY_NAMESPACES), else all. */
  readonly namespaces: readonly string[] | null;
  /** Region of EC2; null = that of the environment (AWS_REGION). */
  readonly region: string | null;
  /** Something of a workflow that is known to be closed may go before its expiry. */
  readonly ignoreExpiry: boolean;
}

export interface Found extends Leftover {
  /** null: a dry run, or a verdict that keeps it. */
  readonly removal: Removal | null;
}

/** Answer of `assay cleanup --json`, and result of the workflow `janitor`. */
export interface JanitorReport {
  readonly format: 1;
  /** Nothing was to be removed, only said. */
  readonly dryRun: boolean;
  readonly looks: readonly Look[];
  readonly found: readonly Found[];
}
