import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import type { Partition, Verified } from './contract.ts';
import { until } from '../src/lab/wait.ts';
import { offsetsSettled, type OffsetReading } from '../src/measure/offsets-settled.ts';

const ASK_MS = 500;
/** Longer than the lag of a high watermark and than a follower's way back into ISR after a stall. */
const LIMIT_MS = 45_000;
/** With a broker dead, a partition without a leader cannot be asked at all. */
const BROKEN_LIMIT_MS = 15_000;

/** Polls until the log holds what was claimed, or stays unchanged for 5 s with full ISR, or time is up. */
export async function countRecords(
  bench: Bench,
  name: string,
  claimed: number,
  requireFullIsr: boolean,
  beat: Beat,
): Promise<Verified['topics'][string]> {
  const history: OffsetReading[] = [];
  let partitions: readonly Partition[] | null = null;
  await until(
    async () => {
      partitions = await bench.lab.admin.describeTopic(name).catch(() => null);
      const records = await bench.lab.admin.recordsInLog(name).catch(() => null);
      if (records === null) return undefined;
      history.push({ atMs: performance.now(), records });
      const fullIsr = !requireFullIsr || isFull(partitions);
      const { settled } = offsetsSettled(history, claimed, performance.now(), fullIsr);
      return settled ? true : undefined;
    },
    { everyMs: ASK_MS, limitMs: requireFullIsr ? LIMIT_MS : BROKEN_LIMIT_MS, signal: beat.signal },
  );
  return { inLog: history.at(-1)?.records ?? null, partitions };
}

function isFull(partitions: readonly Partition[] | null): boolean {
  return partitions !== null && partitions.every((p) => p.isr.length === p.replicas.length);
}
