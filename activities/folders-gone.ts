import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import { until } from '../src/lab/wait.ts';

const LIMIT_MS = 60_000;

/**
 * Waits until the brokers have removed the folders of deleted topics: of all topics whose names begin so, but for `except`.
 *
 * @throws Error when they still lie there after a minute.
 */
export async function foldersGone(
  bench: Bench,
  prefix: string,
  except: readonly string[],
  beat: Beat,
): Promise<void> {
  const { admin } = bench.lab;
  const gone = await until(
    async () => ((await admin.foldersLeft(prefix, except)).length === 0 ? true : undefined),
    { everyMs: 200, limitMs: LIMIT_MS, signal: beat.signal },
  );
  if (gone === true) return;
  const left = (await admin.foldersLeft(prefix, except)).join(', ');
  throw new Error(`after ${LIMIT_MS / 1000} s folders of deleted topics still lie on disk: ${left}`);
}
