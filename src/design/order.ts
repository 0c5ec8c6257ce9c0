import { draws, shuffled } from './random.ts';

/**
 * The order of every block: orders[b-1] for block b, each drawn by itself from the seed.
 * Two scenarios run as reversed pairs of blocks: free draws would put the same one first in at least
 * five of six blocks in 22 % of experiments (facts: statistics).
 */
export function drawOrders(
  slugs: readonly string[],
  blocks: number,
  seed: string,
): readonly (readonly string[])[] {
  return Array.from({ length: blocks }, (_, i) => {
    if (slugs.length !== 2) return shuffled(slugs, draws(seed, `order of block ${i + 1}`));
    const pair = shuffled(slugs, draws(seed, `order of blocks ${i - (i % 2) + 1} and ${i - (i % 2) + 2}`));
    return i % 2 === 0 ? pair : pair.toReversed();
  });
}

/** The order of each pass of block 0. */
export function drawWarmupOrders(
  slugs: readonly string[],
  passes: number,
  seed: string,
): readonly (readonly string[])[] {
  return Array.from({ length: passes }, (_, i) =>
    shuffled(slugs, draws(seed, `order of warm-up pass ${i + 1}`)),
  );
}

const ALPHA = 0.05;

/** The fewest blocks with which the exact sign-flip test of m primary contrasts can reach 5 % (Bonferroni): ⌈log₂(2m/0.05)⌉. */
export function fewestBlocks(contrasts: number): number {
  return Math.ceil(Math.log2((2 * Math.max(1, contrasts)) / ALPHA));
}

/** Blocks when the spec names none. */
export function defaultBlocks(contrasts: number): number {
  return Math.max(6, fewestBlocks(contrasts));
}
