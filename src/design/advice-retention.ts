import { payloadRecordBytes } from './payloads.ts';
import type { Spec } from '../spec/schema.ts';
import type { AdviceInput } from './advice-input.ts';
import { bytesIn, timeIn } from './amounts.ts';
import type { Advice, Estimates, PayloadPlan, Scenario, TopicPlan } from './plan.ts';

/** How often brokers look for what may go, unless they are told otherwise. */
const CHECK_EVERY_MS = 300_000;
/** What an unlimited load is taken to send at least; it bounds how long a count may take. */
const SLOW_BYTES_PER_S = 4 * 1024 ** 2;

/** Records that brokers could delete while a trial still counts them: its offsets would not add up. */
export function onRetention(
  { scenarios, spec }: AdviceInput,
  payloads: readonly PayloadPlan[],
  estimates: Estimates,
): readonly Advice[] {
  const found = scenarios.flatMap(({ scenario, settings }) =>
    scenario.topics.flatMap((topic) => {
      const kept = topic.fill?.each === 'experiment';
      const neededMs = kept ? estimates.durationMs.high : loadMs(scenario, payloads) + CHECK_EVERY_MS;
      return [...byTime(settings, topic, neededMs), ...bySize(settings, scenario, topic, payloads)];
    }),
  );
  // Without a topic's name in the scenarios' own settings the same line would be said for each of them.
  return spec.smoke ? [] : [...new Map(found.map((advice) => [advice.message, advice])).values()].slice(0, 4);
}

/** The value in force and where it stands; null when nobody wrote one (a week, and no limit of size). */
function inForce(
  settings: Spec,
  topic: TopicPlan,
  own: string,
  brokers: readonly (readonly [name: string, unit: number])[],
): { readonly value: number; readonly path: string } | null {
  const written = topic.config[own];
  if (written !== undefined) return { value: Number(written), path: `topics.${topic.name}.config.${own}` };
  for (const [name, unit] of brokers) {
    const value = settings.lab.brokers.config[name];
    if (value !== undefined) return { value: Number(value) * unit, path: `lab.brokers.config.${name}` };
  }
  return null;
}

function byTime(settings: Spec, topic: TopicPlan, neededMs: number): readonly Advice[] {
  const kept = inForce(settings, topic, 'retention.ms', [
    ['log.retention.ms', 1],
    ['log.retention.minutes', 60_000],
    ['log.retention.hours', 3_600_000],
  ]);
  if (kept === null || kept.value < 0 || kept.value >= neededMs) return [];
  const message = `${kept.path} keeps records of topic "${topic.name}" for ${timeIn(kept.value)}, and they are needed for up to ${timeIn(neededMs)}: brokers could delete them while they are counted, and the trial would be void. Leave it out, or write at least ${Math.ceil(neededMs / 60_000)}m.`;
  return [{ code: 'retention-too-short', message }];
}

function bySize(
  settings: Spec,
  scenario: Scenario,
  topic: TopicPlan,
  payloads: readonly PayloadPlan[],
): readonly Advice[] {
  const kept = inForce(settings, topic, 'retention.bytes', [['log.retention.bytes', 1]]);
  const perPartition = bytesHeld(scenario, topic, payloads) / topic.partitions;
  if (kept === null || kept.value < 0 || kept.value >= perPartition) return [];
  const message = `${kept.path} keeps ${bytesIn(kept.value)} of each partition of topic "${topic.name}", and a trial may write ${bytesIn(perPartition)}: brokers could delete records while they are counted, and the trial would be void. Leave it out.`;
  return [{ code: 'retention-too-small', message }];
}

const recordBytes = (payloads: readonly PayloadPlan[], name: string): number =>
  payloadRecordBytes(payloads, name) ?? 0;

/** Payload bytes that the topic holds when the trial ends, as far as counts are known. */
function bytesHeld(scenario: Scenario, topic: TopicPlan, payloads: readonly PayloadPlan[]): number {
  const filled = topic.fill === null ? 0 : topic.fill.records * recordBytes(payloads, topic.fill.payload);
  return scenario.loads.reduce((sum, load) => {
    if (load.kind !== 'producer' || load.topic !== topic.name) return sum;
    const { count } = load;
    const bytes = recordBytes(payloads, load.payload);
    const records =
      count.kind === 'records'
        ? count.records
        : (count.durationMs / 1000) * (SLOW_BYTES_PER_S / Math.max(1, bytes));
    return sum + records * bytes;
  }, filled);
}

function loadMs(scenario: Scenario, payloads: readonly PayloadPlan[]): number {
  return Math.max(
    0,
    ...scenario.loads.map((load) => {
      if (load.count.kind === 'duration') return load.count.durationMs;
      if (load.kind !== 'producer' || load.count.kind !== 'records') return 0;
      const perS = load.recordsPerS ?? SLOW_BYTES_PER_S / Math.max(1, recordBytes(payloads, load.payload));
      return (load.count.records / perS) * 1000;
    }),
  );
}
