import { unreadable } from './tool-error.ts';

/**
 * `kafka-get-offsets.sh`: a line `topic:partition:offset` for each partition that answered; one without a leader is left
 * out, or has no offset. Returns partition → offset; throws a ToolOutputError for a line of another shape.
 */
export function parseOffsets(stdout: string, topic: string): ReadonlyMap<number, bigint> {
  const offsets = new Map<number, bigint>();
  for (const line of stdout.split('\n')) {
    if (line === '') continue;
    const match = /^(.+):(\d+):(\d*)$/.exec(line);
    if (match === null) throw unreadable('kafka-get-offsets', line);
    const [, name, partition, offset = ''] = match;
    if (name === topic && offset !== '') offsets.set(Number(partition), BigInt(offset));
  }
  return offsets;
}

/** Latest − earliest over all partitions; null when one of them is missing on either side. */
export function recordsBetween(
  earliest: ReadonlyMap<number, bigint>,
  latest: ReadonlyMap<number, bigint>,
  partitions: number,
): number | null {
  if (earliest.size !== partitions || latest.size !== partitions) return null;
  let sum = 0n;
  for (const [partition, end] of latest) {
    const start = earliest.get(partition);
    if (start === undefined) return null;
    sum += end - start;
  }
  return Number(sum);
}
