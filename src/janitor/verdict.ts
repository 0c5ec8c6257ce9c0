import { slug } from '../design/names.ts';
import type { Verdict, WorkflowState } from './leftover.ts';

/*
 * What may be removed. Pure: everything else of the janitor only looks, asks and does what is decided here. Whatever is
 * not proven keeps a thing alive.
 */

/** By what a thing says whose it is and how long it may live. */
export interface Marks {
  /** Experiment key. */
  readonly key: string;
  readonly parts: readonly MarkedPart[];
  /** As they are written; of several the latest holds. */
  readonly expiries: readonly string[];
}

export interface MarkedPart {
  readonly name: string;
  /** Whether it says that Assay manages it. */
  readonly managed: boolean;
  /** The workflow that it names; null = none. */
  readonly workflowId: string | null;
}

export interface Limits {
  readonly nowMs: number;
  /** A workflow that is known to be closed is enough. */
  readonly ignoreExpiry: boolean;
}

/**
 * A Temporal that does not know a workflow may be the wrong one, and a paused experiment outlives its expiry by 24 h at
 * most: so much later it is dead whatever that Temporal knows.
 */
export const NOT_FOUND_MS = 24 * 3_600_000;

/** A disk that was just made, or just let go, may have a user who is not seen yet. */
export const VOLUME_AGE_MS = 3_600_000;

/** The one workflow that all parts name and that has this key; else why it is not proven that they are ours. */
export function provenWorkflow({ key, parts }: Marks): { readonly id: string } | { readonly why: string } {
  const unmanaged = parts.find(({ managed }) => !managed);
  if (unmanaged !== undefined)
    return { why: `${unmanaged.name} does not say that Assay manages it, so all of ${key} is left alone` };
  const silent = parts.find(({ workflowId }) => workflowId === null);
  if (silent !== undefined)
    return { why: `${silent.name} does not say which workflow made it, so all of ${key} is left alone` };
  const ids = [...new Set(parts.flatMap(({ workflowId }) => workflowId ?? []))];
  const [id] = ids;
  if (id === undefined) return { why: 'it says nothing of itself' };
  if (ids.length > 1) return { why: `its parts name several workflows: ${ids.join(', ')}` };
  return isKeyOf(key, id)
    ? { id }
    : { why: `${key} is no experiment key of the workflow ${id} that it names` };
}

/** A key is the slug of its workflow's id and eight digits (src/design/names.ts). */
function isKeyOf(key: string, workflowId: string): boolean {
  const head = `${slug(workflowId, 32)}-`;
  return key.startsWith(head) && /^[0-9a-f]{8}$/.test(key.slice(head.length));
}

/** The latest expiry; null = none; else the one that is no time. */
export function latestExpiry(
  texts: readonly string[],
): { readonly ms: number | null } | { readonly unreadable: string } {
  const times = texts.map((text) => ({ text, ms: Date.parse(text) }));
  const bad = times.find(({ ms }) => Number.isNaN(ms));
  if (bad !== undefined) return { unreadable: bad.text };
  return { ms: times.length === 0 ? null : Math.max(...times.map(({ ms }) => ms)) };
}

/** Whether what carries these marks may go, its workflow being in this state. */
export function verdictOf(marks: Marks, state: WorkflowState, limits: Limits): Verdict {
  const proven = provenWorkflow(marks);
  if ('why' in proven) return keep(proven.why);
  return lifeVerdict(`workflow ${proven.id}`, marks.expiries, state, limits);
}

/** The same of something whose owner is proven otherwise; `workflow` names it in the sentence. */
export function lifeVerdict(
  workflow: string,
  expiries: readonly string[],
  state: WorkflowState,
  { nowMs, ignoreExpiry }: Limits,
): Verdict {
  if (state.kind === 'unknown') return keep(`nobody says whether ${workflow} runs: ${state.why}`);
  if (state.kind === 'open') return keep(`${workflow} runs`);
  const ended =
    state.kind === 'closed' ? `${workflow} has ended (${state.how})` : `Temporal does not know ${workflow}`;
  if (state.kind === 'closed' && ignoreExpiry) return { remove: true, why: ended };
  const expiry = latestExpiry(expiries);
  if ('unreadable' in expiry) return keep(`${ended}, but its expiry "${expiry.unreadable}" is no time`);
  if (expiry.ms === null) return keep(`${ended}, but nothing says until when it may live`);
  const dueMs = expiry.ms + (state.kind === 'not-found' ? NOT_FOUND_MS : 0);
  if (nowMs < dueMs) return keep(`${ended}; it may go from ${isoTime(dueMs)} on`);
  return { remove: true, why: `${ended} and its time was over at ${isoTime(expiry.ms)}` };
}

/** An EBS volume, with what the cluster says of it. */
export interface VolumeFacts {
  readonly id: string;
  /** EC2's word. */
  readonly state: string;
  readonly attachedTo: readonly string[];
  readonly createdAtMs: number | null;
  /** Its class keeps volumes: their disks are somebody's wish. */
  readonly retained: boolean;
  /** The PersistentVolume of the cluster that names it; null = none; undefined = nobody may look. */
  readonly persistentVolume: string | null | undefined;
}

/** Whether a volume may be deleted: beyond its marks, nobody may use it or name it. */
export function volumeVerdict(
  marks: Marks,
  volume: VolumeFacts,
  state: WorkflowState,
  limits: Limits,
): Verdict {
  const { attachedTo, createdAtMs, persistentVolume } = volume;
  const verdict = verdictOf(marks, state, limits);
  if (!verdict.remove) return verdict;
  if (volume.retained) return keep('its storage class retains volumes: whoever wrote that wants the disk');
  if (attachedTo.length > 0) return keep(`it is attached to ${attachedTo.join(', ')}`);
  if (volume.state !== 'available') return keep(`it is ${volume.state}`);
  if (createdAtMs === null || limits.nowMs - createdAtMs < VOLUME_AGE_MS)
    return keep('it is younger than an hour, or EC2 does not say how old it is');
  if (persistentVolume === undefined) return keep('nobody could look whether a PersistentVolume names it');
  if (persistentVolume !== null) return keep(`PersistentVolume ${persistentVolume} names it`);
  return verdict;
}

/** A local lab is ours when it lies in the home; it is proven by its record. */
export interface LabFolderFacts {
  readonly workflowId: string | null;
  /** It holds the machine's lease now. */
  readonly leased: boolean;
  /** Of its record; null = it has none. */
  readonly expiresAt: string | null;
}

export function folderVerdict(folder: LabFolderFacts, state: WorkflowState, limits: Limits): Verdict {
  if (folder.leased) return keep('it holds the lease of this machine');
  const { workflowId, expiresAt } = folder;
  const workflow = workflowId === null ? 'its workflow' : `workflow ${workflowId}`;
  return lifeVerdict(workflow, expiresAt === null ? [] : [expiresAt], state, limits);
}

function keep(why: string): Verdict {
  return { remove: false, why };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
