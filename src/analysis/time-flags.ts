import type { Flag } from '../measure/reasons.ts';
import { ALPHA } from './decide.ts';
import { pText, percentText } from './format.ts';
import type { Replicates } from './replicates.ts';
import { lag1Correlation, lag1Limit, trend } from './statistics/serial.ts';

/** Repeats that depend on each other make the interval too narrow (72 % instead of 95 % at a correlation of 0.6). */
export function timeFlags({ unit, at, logs }: Replicates): readonly Flag[] {
  const advice = 'the effect changes with time; the interval may be too narrow';
  const flags: Flag[] = [];
  const r = lag1Correlation(logs);
  if (r !== null && logs.length >= 4 && r > lag1Limit(logs.length)) {
    flags.push({
      code: 'order-drift',
      message: `neighbouring ${unit}s are alike (lag-1 correlation ${r.toFixed(2)}): ${advice}`,
    });
  }
  const line = trend(at, logs);
  if (line !== null && line.p < ALPHA) {
    const change = percentText(Math.expm1(line.slope));
    flags.push({
      code: 'order-drift',
      message: `the ratio moves by ${change} a ${unit} (p ${pText(line.p)}): ${advice}`,
    });
  }
  return flags;
}
