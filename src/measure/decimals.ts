/**
 * How an output writes decimals. The perf tools follow the JVM's locale and never group digits, so one line
 * written throughout with commas reads exactly; a line that mixes both is refused.
 */
export type Decimals = 'point' | 'comma' | 'mixed';

/** A finite number from `12.5` or `12,5`; null for NaN, Infinity and anything else. Never NaN or -0. */
export function finite(text: string | undefined): number | null {
  if (text === undefined || !/^-?\d+(?:[.,]\d+)?$/.test(text)) return null;
  const value = Number(text.replace(',', '.'));
  // A printed `-0.0000` is no other number than 0.
  return Number.isFinite(value) ? value + 0 : null;
}

/** A count: digits only, none lost in front, and small enough to be exact; null otherwise. */
export function count(text: string | undefined): number | null {
  if (text === undefined || !/^(?:0|[1-9]\d{0,15})$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}

/** The style of a whole output, given that of one more line. */
export function joinDecimals(soFar: Decimals | null, line: Decimals): Decimals {
  return soFar === null || soFar === line ? line : 'mixed';
}
