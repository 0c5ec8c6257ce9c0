import { mean } from './statistics/describe.ts';

/** Fewer labs cannot carry a test of their own; then blocks do, and the limits say what they do not cover. */
export const FEWEST_LABS = 6;

/** What one block says: a logarithm of a ratio or of a value. */
export interface BlockLog {
  readonly block: number;
  /** From 1. */
  readonly lab: number;
  readonly log: number;
}

/** The independent repeats of an estimate, in time order. */
export interface Replicates {
  readonly unit: 'block' | 'lab';
  readonly logs: readonly number[];
  /** Block or lab numbers, one for each log. */
  readonly at: readonly number[];
}

/**
 * The repeats that a test may count. With `design.labs` of 6 or more a lab is the whole plot: nodes, disks and JVMs
 * are the same in all its blocks, so their mean log is one value (split plots; facts: statistics). Otherwise blocks.
 */
export function replicatesOf(labs: number, blocks: readonly BlockLog[]): Replicates {
  const ordered = blocks.toSorted((a, b) => a.block - b.block);
  if (labs < FEWEST_LABS)
    return { unit: 'block', logs: ordered.map((b) => b.log), at: ordered.map((b) => b.block) };
  const byLab = [...Map.groupBy(ordered, (b) => b.lab)].toSorted(([a], [b]) => a - b);
  return {
    unit: 'lab',
    logs: byLab.map(([, inside]) => mean(inside.map((b) => b.log))),
    at: byLab.map(([lab]) => lab),
  };
}

/** `6 blocks`, `1 lab`. */
export function replicateText(n: number, unit: Replicates['unit']): string {
  return `${n} ${unit}${n === 1 ? '' : 's'}`;
}
