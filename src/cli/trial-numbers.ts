import type { SteadyRate } from '../measure/trial-record.ts';
import { bytesText, rateText } from './words.ts';

/** Numbers of a trial, each with the file that it comes from. Pure. */

/** Where the files of a trial are, relative to the results folder. */
export interface Places {
  /** `trials/b1/x/a1`. */
  readonly trial: string;
  readonly loads: readonly string[];
  readonly samples: string;
  /** What was only to be seen while it ran. */
  readonly observed: string;
}

/** A number: what it is, its value in words, the file behind it. */
export type Row = readonly [what: string, value: string, from: string];

/** Two lines a number: the value, and below it the file. */
export function rows(all: readonly Row[]): string[] {
  const width = Math.max(0, ...all.map(([what]) => what.length));
  return all.map(
    ([what, value, from]) => `  ${what.padEnd(width)}  ${value}\n  ${' '.repeat(width)}    ← ${from}`,
  );
}

const OVER = {
  own: 'its own window',
  overlap: 'the common window',
  fetch: 'the fetch time',
} as const satisfies Record<SteadyRate['over'], string>;

/** A steady rate, or that there is none. */
export function rateRows(what: string, rate: SteadyRate | null, from: string): Row[] {
  if (rate === null) return [[what, 'none: there is no steady window', from]];
  const { recordsPerS, bytesPerS, windowMs, intervals, stalls, over } = rate;
  const where = `${OVER[over]} of ${(windowMs / 1000).toFixed(1)} s`;
  const lines = `${intervals} intervals, ${stalls} ${stalls === 1 ? 'stall' : 'stalls'}`;
  return [[what, `${rateText(recordsPerS)}, ${bytesText(bytesPerS)}/s over ${where} (${lines})`, from]];
}

export function number(value: number | null): string {
  return value === null ? 'unknown' : value.toLocaleString('en-US');
}

export function cores(value: number | null): string {
  return value === null ? 'unknown' : value.toFixed(2);
}

export function percent(share: number | null): string {
  return share === null ? 'unknown' : `${(share * 100).toFixed(1)} %`;
}
