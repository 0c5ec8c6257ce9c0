import { balancedSquare } from './balanced-square.ts';
import { draws, shuffled } from './random.ts';

/** A scenario and the broker settings it runs under. */
export interface Ordered {
  readonly slug: string;
  readonly plot: string;
}

/**
 * The order of every block: orders[b-1] for block b, drawn from the seed. Scenarios under the same broker settings
 * stand together (a split plot): plots in random order, and scenarios in random order inside each. Of k of a kind each
 * k blocks are a Latin square drawn at random, so that in any number of blocks each is first, second, … as often as the
 * others, or once more (docs/decisions/0016). Two of a kind are reversed pairs: free draws would put the same one first
 * in at least five of six blocks in 22 % of experiments (facts: statistics). More blocks leave the earlier ones as they were.
 */
export function drawOrders(
  scenarios: readonly Ordered[],
  blocks: number,
  seed: string,
): readonly (readonly string[])[] {
  return Array.from({ length: blocks }, (_, i) => orderOf(scenarios, i, seed, 'block'));
}

/** The order of each pass of block 0. */
export function drawWarmupOrders(
  scenarios: readonly Ordered[],
  passes: number,
  seed: string,
): readonly (readonly string[])[] {
  return Array.from({ length: passes }, (_, i) => orderOf(scenarios, i, seed, 'warm-up pass'));
}

function orderOf(scenarios: readonly Ordered[], i: number, seed: string, what: string): readonly string[] {
  const plots = [...new Set(scenarios.map((s) => s.plot))];
  const ordered = plots.length === 1 ? plots : drawn(plots, i, seed, `${what} plots`);
  return ordered.flatMap((plot) =>
    drawn(
      scenarios.filter((s) => s.plot === plot).map((s) => s.slug),
      i,
      seed,
      plots.length === 1 ? what : `${what} ${plot}`,
    ),
  );
}

/** Passes of block 0 are few and never estimated, so they are drawn freely. */
function drawn(items: readonly string[], i: number, seed: string, what: string): readonly string[] {
  if (items.length < 2 || what.startsWith('warm-up'))
    return shuffled(items, draws(seed, `order of ${what} ${i + 1}`));
  if (items.length === 2) return ofPair(items, i, seed, what);
  return ofSquares(items, i, seed, what);
}

function ofPair(items: readonly string[], i: number, seed: string, what: string): readonly string[] {
  const pair = shuffled(items, draws(seed, `order of ${what}s ${i - (i % 2) + 1} and ${i - (i % 2) + 2}`));
  return i % 2 === 0 ? pair : pair.toReversed();
}

/**
 * One row of a square whose items and rows were drawn. An odd number needs two squares to balance what comes after
 * what: the second has the same items in reversed rows.
 */
function ofSquares(items: readonly string[], i: number, seed: string, what: string): readonly string[] {
  const k = items.length;
  const period = k % 2 === 0 ? k : 2 * k;
  const from = i - (i % period);
  const named = shuffled(items, draws(seed, `square of ${what}s ${from + 1} to ${from + period}`));
  const first = i - (i % k);
  const rows = shuffled(balancedSquare(k), draws(seed, `rows of ${what}s ${first + 1} to ${first + k}`));
  const row = (rows[i % k] ?? []).map((at) => named[at] ?? '');
  return first === from ? row : row.toReversed();
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
