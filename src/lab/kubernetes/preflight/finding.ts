import { isClusterError } from '../api/cluster.ts';

/** Something that must be put right before a lab is made: what, where, why, and what to do. */
export interface Problem {
  readonly code: ProblemCode;
  readonly what: string;
  /** Object or place, e.g. `StorageClass gp3`. */
  readonly where: string;
  readonly why: string;
  readonly fix: string;
}

export type ProblemCode =
  | 'no-permission'
  | 'namespace-missing'
  | 'namespace-exists'
  | 'namespace-going'
  | 'pod-security'
  | 'foreign-object'
  | 'no-storage-class'
  | 'storage-class'
  | 'no-driver'
  | 'quota'
  | 'limit-range'
  | 'node-expiry';

/** What preflight found. Notes hinder nothing: they are said, and kept with the results. */
export interface Findings {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

export const NOTHING: Findings = { problems: [], notes: [] };

export function problem(found: Problem): Findings {
  return { problems: [found], notes: [] };
}

export function note(...notes: readonly string[]): Findings {
  return { problems: [], notes };
}

export function together(all: readonly Findings[]): Findings {
  return { problems: all.flatMap((one) => one.problems), notes: all.flatMap((one) => one.notes) };
}

/**
 * What a look at the cluster gave, or null when we may not look or the kind is not installed: then nothing is known.
 * Anything else that fails is thrown on.
 */
export async function ifAllowed<T>(look: Promise<T>): Promise<{ readonly seen: T } | null> {
  try {
    return { seen: await look };
  } catch (error) {
    if (isClusterError(error, 'forbidden') || isClusterError(error, 'not-found')) return null;
    throw error;
  }
}
