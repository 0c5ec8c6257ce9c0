import type { Plan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { type LoadPair, pairLoads, perSecond, producersOf, tailOf } from './series.ts';
import { mean } from './statistics/describe.ts';
import { mser1 } from './statistics/mser.ts';

/** MSER on fewer points is noise. */
const FEWEST_POINTS = 10;
/** Share of a load that is cut when it is too short to choose. */
const BLIND_SHARE = 0.2;

export interface Ramp {
  readonly rampMs: number;
  readonly note: string | null;
}

/**
 * One ramp cut for all scenarios, from the trials of block 0's last pass: Welch's average over trials (each scaled by the rate
 * of its second half, so that fast and slow scenarios weigh alike; tails dropped; as long as the shortest) cut by MSER-1 with at least 10 points
 * kept, and where loads are long enough at least the shortest window the plan allows.
 */
export function chooseRamp(plan: Plan, lastPass: readonly TrialRecord[]): Ramp {
  // A consumer prints no lines: there is nothing to cut.
  if (plan.scenarios.every((s) => producersOf(s).length === 0)) return { rampMs: 0, note: null };
  const valid = lastPass.filter((t) => t.verdict.valid);
  const curves = (valid.length > 0 ? valid : lastPass)
    .flatMap((t) => pairLoads(plan, t))
    .map(scaledCurve)
    .filter((curve) => curve.length > 0);
  const curve = welchAverage(curves);
  const wanted = Math.max(FEWEST_POINTS, Math.ceil(plan.window.minMs / 1000));
  const cut = mser1(curve, curve.length > wanted ? wanted : FEWEST_POINTS);
  if (cut !== null) return { rampMs: 1000 * cut, note: null };
  const rampMs = 1000 * Math.ceil(BLIND_SHARE * curve.length);
  const note =
    `block 0 shows only ${curve.length} s of steady load, too few to choose a ramp (more than ${FEWEST_POINTS} are needed): ` +
    `the first ${rampMs / 1000} s are cut. Give the loads more records or time, or set window.ramp`;
  return { rampMs, note };
}

/** Records of each second without the tail, as multiples of the mean of the second half. */
function scaledCurve(pair: LoadPair): readonly number[] {
  const curve = perSecond(pair.record.series).slice(0, Math.max(0, Math.floor(tailOf(pair).fromMs / 1000)));
  if (curve.length === 0) return [];
  const level = mean(curve.slice(Math.floor(curve.length / 2)));
  return level > 0 ? curve.map((r) => r / level) : [];
}

/** Welch's average (Law, Simulation Modeling and Analysis, §9.5.1): the mean over trials at each second. */
function welchAverage(curves: readonly (readonly number[])[]): readonly number[] {
  const length = Math.min(...curves.map((c) => c.length));
  if (!Number.isFinite(length)) return [];
  return Array.from({ length }, (_, s) => mean(curves.map((c) => c[s] ?? 0)));
}
