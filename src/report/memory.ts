import { readSamples } from '../measure/sample.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { SampleFile } from './samples-csv.ts';

/** Memory that waits to be written on the first machine, from the settle before a load to the drain after it. */
export interface MemorySeries {
  readonly trial: TrialRecord;
  /** Seconds since the first load's start (negative: settle), Dirty and Writeback in bytes. */
  readonly points: readonly {
    readonly atS: number;
    readonly dirtyBytes: number;
    readonly writebackBytes: number | null;
  }[];
  /** When the last load ended, on the same clock. */
  readonly loadEndS: number;
}

/** Series of all trials whose load started and was sampled, in the order they ran. */
export function memorySeries(
  trials: readonly TrialRecord[],
  files: readonly SampleFile[],
): readonly MemorySeries[] {
  const texts = new Map(files.map((file) => [file.path, file.text]));
  return trials.flatMap((trial) => {
    const text = texts.get(`trials/${trial.id}/sampler.jsonl`);
    const startMs = Math.min(...trial.loads.map((l) => l.startedAtMs ?? Number.POSITIVE_INFINITY));
    const endMs = Math.max(...trial.loads.map((l) => l.endedAtMs ?? Number.NEGATIVE_INFINITY));
    if (text === undefined || !Number.isFinite(startMs) || !Number.isFinite(endMs)) return [];
    const points = readSamples(text).samples.flatMap(({ wallMs, dirtyBytes, writebackBytes }) => {
      const atS = ((wallMs[0] + wallMs[1]) / 2 - startMs) / 1000;
      return dirtyBytes === null ? [] : [{ atS, dirtyBytes, writebackBytes }];
    });
    return points.length === 0 ? [] : [{ trial, points, loadEndS: (endMs - startMs) / 1000 }];
  });
}
