import { setTimeout as delay } from 'node:timers/promises';
import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import { isGone, isSilence } from './errors.ts';

/** How long a host may be silent before it counts as gone, and how long anybody waits for whoever knows. */
export interface Patience {
  readonly hostMs: number;
  readonly labMs: number;
  readonly everyMs: number;
}

const PATIENCE: Patience = { hostMs: 45_000, labMs: 90_000, everyMs: 1_000 };

/**
 * Does something on a host of the lab. A host that is gone, or silent while the lab itself can be asked, is null. When
 * nobody answers for the lab either (the API of its cluster is down), it says nothing about the host: waits.
 *
 * @param who `client c1`, as the lab names it.
 * @throws the last error when nobody could be asked: a retry goes on waiting.
 */
export async function reach<T>(
  bench: Bench,
  who: string,
  beat: Beat,
  step: () => Promise<T>,
  patience = PATIENCE,
): Promise<T | null> {
  const startedAt = performance.now();
  let silentSince: number | null = null;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (isGone(error)) return null;
      if (!isSilence(error)) throw error;
      const lost = await knownLost(bench);
      if (lost?.includes(who) === true) return null;
      const now = performance.now();
      silentSince = lost === null ? null : (silentSince ?? now);
      if (silentSince !== null && now - silentSince >= patience.hostMs) return null;
      if (now - startedAt >= patience.labMs) throw error;
      sayWaiting(beat, lost === null ? 'the API of the cluster' : who, now - startedAt);
    }
    await delay(patience.everyMs, undefined, { signal: beat.signal });
  }
}

/** Asks the lab itself; waits for a while when nobody answers for it. @throws the last error. */
export async function askLab<T>(beat: Beat, ask: () => Promise<T>, patience = PATIENCE): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const waitedMs = performance.now() - startedAt;
      if (!isSilence(error) || waitedMs >= patience.labMs) throw error;
      sayWaiting(beat, 'the API of the cluster', waitedMs);
    }
    await delay(patience.everyMs, undefined, { signal: beat.signal });
  }
}

/** null: nobody answers for the lab. */
async function knownLost({ lab }: Bench): Promise<readonly string[] | null> {
  try {
    return await lab.lost();
  } catch (error) {
    if (isSilence(error)) return null;
    throw error;
  }
}

function sayWaiting(beat: Beat, whom: string, waitedMs: number): void {
  beat.say({ text: `waiting for ${whom}, for ${Math.round(waitedMs / 1000)} s now` });
}
