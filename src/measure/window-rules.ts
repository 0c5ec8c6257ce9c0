import type { Evidence, LoadEvidence } from './evidence.ts';
import { MIN_COVERAGE } from './host-summary.ts';
import type { Reason } from './reasons.ts';
import { reason } from './reasons.ts';
import { percent, seconds } from './words.ts';

/** Reasons from the measurement itself: long enough, side by side, watched. */
export function windowRules(evidence: Evidence): Reason[] {
  const { measurement } = evidence;
  // A load without a result has a reason of its own; a missing window would only repeat it.
  if (evidence.loads.length === 0 || !evidence.loads.every(hasResult)) return [];
  const { rate, why, noOverlap, of } = measurement;
  // The metric speaks of loads that this scenario does not have.
  if (of.length === 0) return coverageRules(evidence);
  if (rate === null) {
    // Loads of a moment need neither meet nor have a steady window.
    if (evidence.rehearsal === true) return [];
    if (noOverlap) return [reason('no-overlap', why ?? 'the loads did not run side by side')];
    if (evidence.minWindowMs === 0) return [];
    return [reason('window-too-short', why ?? 'there is no steady window')];
  }
  const short =
    rate.windowMs < evidence.minWindowMs
      ? [
          reason(
            'window-too-short',
            `the steady window is ${seconds(rate.windowMs)}, at least ${seconds(evidence.minWindowMs)} are needed`,
          ),
        ]
      : [];
  return [...short, ...coverageRules(evidence)];
}

function hasResult(load: LoadEvidence): boolean {
  if (load.kind === 'consumer' && (load.output.idleTimeoutMs ?? load.output.final?.inconsistent) != null)
    return false;
  return (load.output.final?.records ?? 0) > 0;
}

function coverageRules(evidence: Evidence): Reason[] {
  return evidence.machines.flatMap(({ name, summary }) => {
    if (summary === null) return [reason('sampler-gap', `${name}: there are no samples of the window`)];
    if (summary.coverage >= MIN_COVERAGE) return [];
    const gaps = summary.gaps === 1 ? '1 gap' : `${summary.gaps} gaps`;
    return [
      reason(
        'sampler-gap',
        `${name}: samples cover ${percent(summary.coverage)} of the window (${gaps}), ${percent(MIN_COVERAGE)} are needed`,
      ),
    ];
  });
}
