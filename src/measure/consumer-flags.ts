import { MAX_REBALANCE_SHARE } from './consumer-rules.ts';
import type { CacheEvidence, ConsumerEvidence } from './evidence.ts';
import { metricsByName } from './metrics-table.ts';
import type { Flag } from './reasons.ts';
import { n, percent, seconds } from './words.ts';

/** Fetching for less than this, the rate of a consumer still holds its start (design §7). */
export const LEAST_FETCH_MS = 20_000;
/** A client is bound by its CPU from this share of the cores it may use on. */
const CLIENT_CPU_SHARE = 0.9;

/** Warnings about one consumer that do not void a trial. */
export function consumerFlags(load: ConsumerEvidence): Flag[] {
  const { name, usedCores, allowedCores, output } = load;
  const { final, clock } = output;
  const flags: Flag[] = [];
  if (usedCores !== null && allowedCores !== null && usedCores >= CLIENT_CPU_SHARE * allowedCores)
    flags.push({
      code: 'client-bound',
      message: `${name}: the client used ${n(usedCores)} of the ${n(allowedCores)} cores it may use`,
    });
  if (final?.fetchMs != null && final.fetchMs < LEAST_FETCH_MS)
    flags.push({
      code: 'fetch-short',
      message: `${name}: it fetched for ${seconds(final.fetchMs)}; under ${seconds(LEAST_FETCH_MS)} its rate still holds its start`,
    });
  if (final?.rebalanceMs != null && final.elapsedMs !== null && final.elapsedMs > 0) {
    const share = final.rebalanceMs / final.elapsedMs;
    if (share > MAX_REBALANCE_SHARE)
      flags.push({
        code: 'rebalance-long',
        message: `${name}: joining the group took ${percent(share)} of the run; its total rate does not hold, its fetch-time rate does`,
      });
  }
  const throttleMs =
    metricsByName(output.metrics.rows)['consumer-fetch-manager-metrics:fetch-throttle-time-max'] ?? 0;
  if (throttleMs > 0)
    flags.push({
      code: 'throttled',
      message: `${name}: a broker quota held the consumer back by up to ${n(throttleMs)} ms a fetch`,
    });
  if (clock.steps > 0)
    flags.push({
      code: 'clock-step',
      message: `${name}: the wall clock was set ${n(clock.steps)} times, by up to ${n(clock.largestStepMs)} ms`,
    });
  return flags;
}

/** The page cache that was asked for against where the records came from. */
export function cacheFlags({ topic, asked, reading }: CacheEvidence): Flag[] {
  const { cache, diskReadShare } = reading;
  if (cache === asked) return [];
  if (cache === null || diskReadShare === null)
    return [
      {
        code: 'cache-unknown',
        message: `${topic}: a ${asked} page cache was asked for, and whether it was is not known: disk reads or what was consumed are unknown`,
      },
    ];
  return [
    {
      code: asked === 'hot' ? 'cache-not-hot' : 'cache-not-cold',
      message: `${topic}: a ${asked} page cache was asked for, and ${percent(diskReadShare)} of what was consumed came from the disk (${cache})`,
    },
  ];
}
