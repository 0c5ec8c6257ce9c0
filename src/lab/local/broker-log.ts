import { readFileSync } from 'node:fs';
import { parseBrokerLog } from '../broker-log.ts';
import type { BrokerEvent } from '../lab.ts';

/** Events of all incarnations and the rolled-over files of one broker; a file that is not there has none. */
export function readBrokerLog(
  broker: string,
  file: string,
  sinceMs: number,
  topic: string,
): readonly BrokerEvent[] {
  return [`${file}.2`, `${file}.1`, file].flatMap((one) => {
    try {
      return parseBrokerLog(broker, readFileSync(one, 'utf8'), sinceMs, topic);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}
