import type { ConsumerLoad } from '../design/plan.ts';
import { UNKNOWN_CACHE } from './cache-class.ts';
import { consumerReader } from './consumer.ts';
import { totalRateHolds } from './consumer-rules.ts';
import type { DerivedLoad, LoadSettings } from './derive-load.ts';
import type { ConsumerEvidence } from './evidence.ts';
import { fetchRateOf } from './load-span.ts';
import { metricsByName } from './metrics-table.ts';
import { readErrors } from './stderr.ts';
import type { RawLoad } from './trial-evidence.ts';

/** Kafka's default of max.poll.records. */
const DEFAULT_MAX_POLL_RECORDS = 500;

/** Reads what a consumer left behind. */
export function deriveConsumer(load: ConsumerLoad, settings: LoadSettings, raw: RawLoad): DerivedLoad {
  const { asked, command, feeders, allowedCores } = settings;
  const reader = consumerReader({ stamped: true });
  reader.push(raw.stdout);
  const output = reader.end();
  const { final } = output;
  const fetch = final === null ? null : fetchRateOf(final);
  const rates = typeof fetch === 'string' ? null : fetch;
  const evidence: ConsumerEvidence = {
    kind: 'consumer',
    name: load.name,
    topic: load.topic,
    asked,
    state: raw.state,
    exit: raw.exit,
    errors: readErrors(raw.stderr),
    failedCallbacks: 0,
    allowedCores,
    usedCores: null,
    output,
    maxPollRecords: Number(load.config['max.poll.records'] ?? DEFAULT_MAX_POLL_RECORDS),
  };
  return {
    evidence,
    measured: { kind: 'consumer', name: load.name, output, feeders, endedAtMs: raw.exit?.endedAtMs ?? null },
    record: (measurement, { cpuCores, cache }) => ({
      name: load.name,
      kind: 'consumer',
      topic: load.topic,
      command,
      asked,
      finalCount: final?.records ?? null,
      exitCode: raw.exit?.code ?? null,
      failedCallbacks: 0,
      stderrCutBytes: raw.exit?.stderrCutBytes ?? 0,
      totalRecordsPerS: final?.totalRecordsPerS ?? null,
      steady: measurement?.steady ?? null,
      latencyMs: null,
      series: [],
      metrics: metricsByName(output.metrics.rows),
      startedAtMs: measurement?.startedAtMs ?? null,
      endedAtMs: measurement?.endedAtMs ?? null,
      cpuCores,
      consumer: {
        elapsedMs: final?.elapsedMs ?? null,
        rebalanceMs: final?.rebalanceMs ?? null,
        fetchMs: final?.fetchMs ?? null,
        fetchRecordsPerS: rates?.recordsPerS ?? null,
        fetchBytesPerS: rates?.bytesPerS ?? null,
        totalRateWhy: totalRateHolds(evidence),
        ...(cache ?? UNKNOWN_CACHE),
      },
    }),
  };
}
