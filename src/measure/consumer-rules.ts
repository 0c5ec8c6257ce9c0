import type { ConsumerEvidence } from './evidence.ts';
import type { Reason } from './reasons.ts';
import { reason } from './reasons.ts';
import { n, percent, seconds } from './words.ts';

/** A total rate of a consumer holds when its rebalance took at most this share of the run. */
export const MAX_REBALANCE_SHARE = 0.1;

/** Reasons that a consumer's output gives: read at least what was asked, and at most one poll more. */
export function consumerRules(load: ConsumerEvidence): Reason[] {
  const { final, finalRows, idleTimeoutMs, seenAtLeast } = load.output;
  const reasons: Reason[] = [];
  if (idleTimeoutMs !== null) {
    reasons.push(
      reason(
        'idle-timeout',
        `${load.name}: gave up after ${seconds(idleTimeoutMs)} without records; its rate holds the wait`,
      ),
    );
  }
  if (final === null) {
    const seen = seenAtLeast === null ? '' : `; at least ${n(seenAtLeast)} records were read`;
    return [
      ...reasons,
      reason(
        'no-summary',
        `${load.name}: ${finalRows === 0 ? 'no' : finalRows} summary rows were printed${seen}`,
      ),
    ];
  }
  if (final.records < load.asked) {
    reasons.push(
      reason('consumer-short', `${load.name}: ${n(final.records)} of ${n(load.asked)} records were read`),
    );
  }
  const excess = final.records - load.asked;
  if (excess >= load.maxPollRecords) {
    reasons.push(
      reason(
        'count-over',
        `${load.name}: ${n(excess)} records more than asked, one poll is ${n(load.maxPollRecords)}`,
      ),
    );
  }
  if (final.inconsistent !== null)
    reasons.push(reason('times-inconsistent', `${load.name}: ${final.inconsistent}`));
  return reasons;
}

/** Why a consumer's total rate must not be used (its fetch rate may be); null when it may. */
export function totalRateHolds(load: ConsumerEvidence): string | null {
  const { final } = load.output;
  if (final === null || final.elapsedMs === null || final.elapsedMs <= 0) return 'there is no summary';
  if (final.rebalanceMs === null) return final.absent ?? 'the rebalance time is not known';
  const share = final.rebalanceMs / final.elapsedMs;
  return share > MAX_REBALANCE_SHARE ? `the rebalance took ${percent(share)} of the run` : null;
}
