import type { LoadRecord, TrialRecord } from '../../measure/trial-record.ts';

/** Rate over time of one trial, all its loads together. */
export interface TrialSeries {
  readonly trial: TrialRecord;
  /** [seconds since the first load's start, bytes per second], each at the middle of its interval. */
  readonly points: readonly (readonly [number, number])[];
  /** The measured window on the same clock; null when there is none. */
  readonly window: { readonly fromS: number; readonly toS: number } | null;
  readonly stalls: readonly (readonly [number, number])[];
}

/** Null when the trial has no interval to show. */
export function trialSeries(trial: TrialRecord): TrialSeries | null {
  const loads = trial.loads.filter((l) => l.series.length > 0);
  const first = loads[0];
  if (!first) return null;
  const startMs = Math.min(...loads.map((l) => l.startedAtMs ?? Number.POSITIVE_INFINITY));
  const known = Number.isFinite(startMs);
  const recordBytes =
    trial.rate && trial.rate.recordsPerS > 0 ? trial.rate.bytesPerS / trial.rate.recordsPerS : null;
  if (recordBytes === null) return null;
  const scaled = (perS: number): number => perS * recordBytes;
  const points =
    loads.length === 1 ? ownPoints(first, scaled) : summedPoints(loads, known ? startMs : 0, scaled);
  return {
    trial,
    points,
    window:
      trial.rate && known
        ? { fromS: (trial.rate.fromMs - startMs) / 1000, toS: (trial.rate.toMs - startMs) / 1000 }
        : null,
    stalls: loads.length === 1 ? points.filter((_, i) => first.series[i]?.stall) : [],
  };
}

type Point = readonly [number, number];

function ownPoints(load: LoadRecord, scaled: (perS: number) => number): readonly Point[] {
  return load.series.map((s) => [(s.endMs - s.lengthMs / 2) / 1000, scaled((s.records / s.lengthMs) * 1000)]);
}

/** Loads report at different moments: their rates are summed second by second. */
function summedPoints(
  loads: readonly LoadRecord[],
  startMs: number,
  scaled: (perS: number) => number,
): readonly Point[] {
  const offset = (load: LoadRecord): number => (load.startedAtMs ?? startMs) - startMs;
  const endMs = Math.max(...loads.map((l) => offset(l) + (l.series.at(-1)?.endMs ?? 0)));
  const points: Point[] = [];
  for (let at = 500; at < endMs; at += 1000) {
    const sum = loads.reduce((total, load) => total + rateAt(load, at - offset(load)), 0);
    points.push([at / 1000, scaled(sum)]);
  }
  return points;
}

function rateAt(load: LoadRecord, atMs: number): number {
  const interval = load.series.find((s) => atMs > s.endMs - s.lengthMs && atMs <= s.endMs);
  return interval ? (interval.records / interval.lengthMs) * 1000 : 0;
}
