import { payloadRecordBytes } from '../design/payloads.ts';
import { SHARE_OF_MEMBER } from '../design/loads.ts';
import type { ConsumerLoad, Plan, Scenario } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { Counts } from './counts.ts';

/** A pilot of a consumer only has to show the rate, and joining a group takes longer than reading a little. */
const PILOT_RECORDS = 200_000;
const PILOT_BYTES = 128 * 2 ** 20;

/** What decides the records of consumers, besides the plan and the producers' counts. */
export interface ConsumerRates {
  /** Trials of the pass before; empty in the first one. */
  readonly before: readonly TrialRecord[];
  /** The shortest run that has its window, ms. */
  readonly leastMs: number;
}

/**
 * Adds the records of every consumer to those of the producers: as many as were asked, all that its topic will hold, or
 * what the asked time takes at the fetch-time rate of the pass before, and never more than its topic will hold.
 */
export function withConsumers(plan: Plan, producers: Counts, rates: ConsumerRates): Counts {
  return Object.fromEntries(
    plan.scenarios.map((scenario) => {
      const sent = producers[scenario.slug] ?? {};
      const read = consumersOf(scenario).map((load) => [
        load.name,
        recordsOf(plan, scenario, load, sent, rates),
      ]);
      return [scenario.slug, { ...sent, ...Object.fromEntries(read) }];
    }),
  );
}

/** Consumers that were asked for a time and will find too little to read for it. */
export function shortOfRecords(plan: Plan, counts: Counts, rates: ConsumerRates): readonly string[] {
  return plan.scenarios.flatMap((scenario) =>
    consumersOf(scenario).flatMap((load) => {
      const rate = rateBefore(rates.before, scenario.slug, load.name);
      const records = counts[scenario.slug]?.[load.name] ?? 0;
      if (load.count.kind !== 'duration' || rate === null) return [];
      const ms = (1000 * records) / rate;
      if (ms >= load.count.durationMs) return [];
      const [asked, runs] = [load.count.durationMs, ms].map((v) => (v / 1000).toFixed(0));
      return [
        `${scenario.slug}: ${load.name} was asked to read for ${asked} s, and all it can get of topic ${load.topic} lasts about ${runs} s; fill it with more records`,
      ];
    }),
  );
}

function consumersOf({ loads }: Scenario): readonly ConsumerLoad[] {
  return loads.flatMap((load) => (load.kind === 'consumer' ? [load] : []));
}

function recordsOf(
  plan: Plan,
  scenario: Scenario,
  load: ConsumerLoad,
  sent: Readonly<Record<string, number>>,
  { before, leastMs }: ConsumerRates,
): number {
  const { count } = load;
  if (count.kind === 'records') return count.records;
  const held = heldFor(scenario, load, sent);
  if (count.kind === 'topic') return Math.max(1, Math.floor(held * count.share));
  const most = Math.max(1, Math.floor(held * (load.members === 1 ? 1 : SHARE_OF_MEMBER / load.members)));
  const rate = rateBefore(before, scenario.slug, load.name);
  const wanted =
    rate === null
      ? pilotRecords(plan, scenario, load)
      : Math.ceil((rate * Math.max(count.durationMs, leastMs)) / 1000);
  return Math.max(1, Math.min(most, wanted));
}

/** Records that a consumer can get: what was filled in, unless it starts at the end, and what the trial's producers add. */
function heldFor(scenario: Scenario, load: ConsumerLoad, sent: Readonly<Record<string, number>>): number {
  const filled = scenario.topics.find((t) => t.name === load.topic)?.fill?.records ?? 0;
  const added = scenario.loads
    .filter((other) => other.kind === 'producer' && other.topic === load.topic)
    .reduce((sum, other) => sum + (sent[other.name] ?? 0), 0);
  return (load.from === 'earliest' ? filled : 0) + added;
}

function pilotRecords(plan: Plan, scenario: Scenario, load: ConsumerLoad): number {
  const fill = scenario.topics.find((t) => t.name === load.topic)?.fill;
  const writer = scenario.loads.find((other) => other.kind === 'producer' && other.topic === load.topic);
  const payload = fill?.payload ?? (writer?.kind === 'producer' ? writer.payload : '');
  const recordBytes = payloadRecordBytes(plan.payloads, payload) ?? 1;
  return Math.min(PILOT_RECORDS, Math.floor(PILOT_BYTES / Math.max(1, recordBytes)));
}

/** Fetch-time rate of a consumer in the last attempt of its scenario that shows one. */
function rateBefore(before: readonly TrialRecord[], scenario: string, name: string): number | null {
  const rates = before
    .filter((t) => t.scenario === scenario)
    .toSorted((a, b) => a.attempt - b.attempt)
    .flatMap((t) => t.loads.filter((l) => l.name === name))
    .flatMap((l) => l.steady?.recordsPerS ?? l.consumer?.fetchRecordsPerS ?? []);
  return rates.findLast((rate) => rate > 0) ?? null;
}
