import { setTimeout as delay } from 'node:timers/promises';
import { CloudWatchClient, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { heldVolumes } from './volumes.ts';

const MINUTE_MS = 60_000;
const LOOK_MS = 1_000;

/** What each volume writes in a minute, as the emulated CloudWatch has it. */
export const WRITTEN = { VolumeWriteBytes: 6_000_000, VolumeWriteOps: 600, VolumeIdleTime: 30 } as const;

/**
 * Plays EBS's side of CloudWatch: one point a minute for every volume that the driver holds, from the minute in which it
 * appears, put at the minute's beginning. Ends when the signal says so.
 */
export async function publishEbsMetrics(
  endpoint: string,
  region: string,
  signal: AbortSignal,
): Promise<void> {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new CloudWatchClient({ endpoint, region, credentials });
  const done = new Set<string>();
  try {
    while (!signal.aborted) {
      const minuteMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
      for (const { ID } of heldVolumes()) {
        if (done.has(`${ID} ${minuteMs}`)) continue;
        done.add(`${ID} ${minuteMs}`);
        await client.send(putOf(ID, minuteMs));
      }
      await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    client.destroy();
  }
}

function putOf(volumeId: string, minuteMs: number): PutMetricDataCommand {
  return new PutMetricDataCommand({
    Namespace: 'AWS/EBS',
    MetricData: Object.entries(WRITTEN).map(([MetricName, Value]) => ({
      MetricName,
      Dimensions: [{ Name: 'VolumeId', Value: volumeId }],
      Timestamp: new Date(minuteMs + 1_000),
      Value,
    })),
  });
}
