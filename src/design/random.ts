import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** Draws from one stream of numbers; each call moves on. */
export interface Draws {
  /** A whole number, both ends included, each equally likely. */
  int(from: number, to: number): number;
}

/**
 * A stream of its own for each purpose of one seed: what one purpose draws never shifts another, so that
 * e.g. more blocks leave the order of the earlier ones as it was. The same on every machine.
 */
export function draws(seed: string, purpose: string): Draws {
  const hash = sha256(utf8ToBytes(`${seed}\n${purpose}`));
  const view = new DataView(hash.buffer, hash.byteOffset, 16);
  const generator = xoroshiro128plusFromState([
    view.getInt32(0),
    view.getInt32(4),
    view.getInt32(8),
    view.getInt32(12),
  ]);
  return { int: (from, to) => uniformInt(generator, from, to) };
}

/** A copy in an order drawn uniformly from all orders (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], from: Draws): readonly T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = from.int(0, i);
    const held = result[i] as T;
    result[i] = result[j] as T;
    result[j] = held;
  }
  return result;
}
