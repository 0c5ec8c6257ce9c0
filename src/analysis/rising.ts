import type { Flag } from '../measure/reasons.ts';
import type { LoadRecord, TrialRecord } from '../measure/trial-record.ts';
import { percentText, pText } from './format.ts';
import { linesBetween } from './series.ts';
import { mean } from './statistics/describe.ts';
import { pairedT } from './statistics/paired-t.ts';
import { trend } from './statistics/serial.ts';

/** Smaller rises are real at times and matter to nobody. */
const SMALLEST_RISE = 0.02;

/**
 * Flags rates that still rise inside the steady window: the relative rise over the window, by a line through
 * each load, pooled over valid trials and tested by t. A flag only: voiding such trials would select on the outcome.
 */
export function stillRising(trials: readonly TrialRecord[]): Flag | null {
  const rises = trials
    .filter((t) => t.block > 0 && t.verdict.valid)
    .flatMap((t) => t.loads)
    .flatMap((load) => riseInWindow(load) ?? []);
  if (rises.length < 4) return null;
  const { mean: rise, p } = pairedT(rises);
  if (rise < SMALLEST_RISE || p / 2 > 0.05) return null;
  return {
    code: 'still-rising',
    message:
      `rates rise by ${percentText(rise)} on average inside the steady window (one-sided p ${pText(p / 2)}, ${rises.length} loads): ` +
      `give the loads more time or set a longer window.ramp`,
  };
}

/** The rise from the start to the end of the window as a share of the mean rate; null without enough lines. */
function riseInWindow(load: LoadRecord): number | null {
  if (load.steady === null || load.startedAtMs === null) return null;
  const [fromMs, toMs] = [load.steady.fromMs - load.startedAtMs, load.steady.toMs - load.startedAtMs];
  const lines = linesBetween(load.series, fromMs, toMs);
  const rates = lines.map((l) => l.records / l.lengthMs);
  const line = trend(
    lines.map((l) => l.endMs - l.lengthMs / 2),
    rates,
  );
  return line === null || mean(rates) === 0 ? null : (line.slope * (toMs - fromMs)) / mean(rates);
}
