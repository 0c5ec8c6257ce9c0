import type { Spec } from '../spec/schema.ts';
import { heldByLimit } from './held-metric.ts';
import type { Estimates, FillPlan, LoadPlan, PayloadPlan, Range, Scenario, SearchPlan } from './plan.ts';
import { precision, VARIATION } from './precision.ts';
import { repeatsOf, restartsOf, type Tries } from './repeats.ts';
import { overrunOfSteps, searchedRate } from './search-estimates.ts';

const MIB = 1024 ** 2;

/**
 * What one unlimited producer process is assumed to send, payload bytes per second: nothing is known before
 * block 0. The high end bounds disk and time; 4 MiB/s is a small batch on two busy cores.
 */
export const ASSUMED_PRODUCER_RATE = { lowBytesPerS: 4 * MIB, highBytesPerS: 150 * MIB } as const;

/** Length, offset, timestamp and key fields of a record in a batch, and its share of the batch header. */
const RECORD_OVERHEAD_BYTES = 16;
/** What a codec leaves at best; JSON logs with padding reach it. */
const BEST_COMPRESSION = 0.05;
/** Bringing the lab up and taking it down; the machine decides within the range. */
const LAB_MS: Range = { low: 15_000, high: 90_000 };
/** Applying other broker settings; a restart of every broker at most. */
const RESTART_MS: Range = { low: 5_000, high: 60_000 };
/** Prepare, verify, collect and release of one trial, without settle, load and drain. */
const TRIAL_OVERHEAD_MS: Range = { low: 2_000, high: 10_000 };
/** What `sync` takes beyond the quiet time. */
const SYNC_MS = 15_000;
/** How fast fills are assumed to be written, all copies, at the least. */
const ASSUMED_FILL_BYTES_PER_S = 30 * MIB;
/** Bytes per second that one consumer process is assumed to read. */
export const ASSUMED_CONSUMER_RATE = { lowBytesPerS: 20 * MIB, highBytesPerS: 600 * MIB } as const;

interface Sized {
  readonly scenario: Scenario;
  readonly payloads: ReadonlyMap<string, PayloadPlan>;
  readonly search: SearchPlan | null;
  /** What a search tries in this trial. */
  readonly tries?: Tries | undefined;
}

function bytesOf({ payloads }: Sized, payload: string): number {
  return payloads.get(payload)?.recordBytes ?? 0;
}

/** Records a load may send or read: exact for a count, a range for a time. */
function recordsOf(sized: Sized, load: LoadPlan): Range {
  const { count } = load;
  if (count.kind === 'records') return { low: count.records, high: count.records };
  if (count.kind === 'topic') return scaled(inTopic(sized, load.topic), count.share);
  const seconds = count.durationMs / 1000;
  if (load.kind === 'consumer') return inTopic(sized, load.topic);
  const searched = searchedRate(sized.search, sized.tries, sized.scenario, load);
  if (searched !== null) return scaled(searched, seconds);
  const perS = (bytes: number) => Math.ceil((bytes * seconds) / Math.max(1, bytesOf(sized, load.payload)));
  return { low: perS(ASSUMED_PRODUCER_RATE.lowBytesPerS), high: perS(ASSUMED_PRODUCER_RATE.highBytesPerS) };
}

function scaled(range: Range, factor: number): Range {
  return { low: range.low * factor, high: range.high * factor };
}

/** What a topic holds at the end: its fill, and what the producers of the trial write. */
function inTopic(sized: Sized, topic: string): Range {
  const filled = sized.scenario.topics.find((t) => t.name === topic)?.fill?.records ?? 0;
  const written = sized.scenario.loads
    .filter((load) => load.kind === 'producer' && load.topic === topic)
    .map((load) => recordsOf(sized, load));
  return { low: filled + total(written.map((w) => w.low)), high: filled + total(written.map((w) => w.high)) };
}

function durationOf(sized: Sized, load: LoadPlan): Range {
  // What block 0 counts for a time takes about that time, a little more on a slower day.
  if (load.count.kind === 'duration')
    return { low: load.count.durationMs, high: load.count.durationMs * 1.25 };
  const records = recordsOf(sized, load);
  if (load.kind === 'consumer') return readingOf(sized, load.topic, records);
  const bytes = bytesOf(sized, load.payload);
  const ms = (count: number, bytesPerS: number) => (count * bytes * 1000) / bytesPerS;
  if (load.recordsPerS !== null) {
    const asked = ms(records.low, load.recordsPerS * bytes);
    return { low: asked, high: Math.max(asked, ms(records.high, ASSUMED_PRODUCER_RATE.lowBytesPerS)) };
  }
  return {
    low: ms(records.low, ASSUMED_PRODUCER_RATE.highBytesPerS),
    high: ms(records.high, ASSUMED_PRODUCER_RATE.lowBytesPerS),
  };
}

function readingOf(sized: Sized, topic: string, records: Range): Range {
  const fill = sized.scenario.topics.find((t) => t.name === topic)?.fill;
  const producer = sized.scenario.loads.find((load) => load.kind === 'producer' && load.topic === topic);
  const payload = fill?.payload ?? (producer?.kind === 'producer' ? producer.payload : '');
  const bytes = bytesOf(sized, payload);
  return {
    low: (records.low * bytes * 1000) / ASSUMED_CONSUMER_RATE.highBytesPerS,
    high: (records.high * bytes * 1000) / ASSUMED_CONSUMER_RATE.lowBytesPerS,
  };
}

/** Bytes on all disks of the lab that the loads of one trial write, all copies; fills are counted apart. */
function writtenOf(sized: Sized): Range {
  const parts = sized.scenario.loads.map((load): Range => {
    const topic = sized.scenario.topics.find((t) => t.name === load.topic);
    if (load.kind !== 'producer' || !topic) return { low: 0, high: 0 };
    const records = recordsOf(sized, load);
    const compressed =
      !['none', undefined].includes(load.config['compression.type']) ||
      (topic.config['compression.type'] ?? 'producer') !== 'producer';
    const bytes = (n: number) =>
      n * (bytesOf(sized, load.payload) + RECORD_OVERHEAD_BYTES) * topic.replication;
    return {
      low: Math.floor(bytes(records.low) * (compressed ? BEST_COMPRESSION : 1)),
      high: bytes(records.high),
    };
  });
  return { low: total(parts.map((p) => p.low)), high: total(parts.map((p) => p.high)) };
}

/** Bytes that the fills of a scenario take, all copies: those made once, and those made for every attempt. */
function filledOf(sized: Sized, each: FillPlan['each']): number {
  return total(
    sized.scenario.topics.map(({ fill, replication }) =>
      fill?.each === each
        ? fill.records * (bytesOf(sized, fill.payload) + RECORD_OVERHEAD_BYTES) * replication
        : 0,
    ),
  );
}

function total(values: readonly number[]): number {
  return values.reduce((sum, v) => sum + v, 0);
}

/** Inputs of the estimates: what has been drawn so far. */
export interface EstimateInput {
  readonly spec: Spec;
  readonly scenarios: readonly Scenario[];
  readonly payloads: readonly PayloadPlan[];
  readonly blocks: number;
  readonly maxPasses: number;
  readonly contrasts: number;
  readonly search: SearchPlan | null;
}

/**
 * Ranges for trials, time and bytes of the whole experiment, new attempts not counted. Low: as little is repeated as
 * may be, and nothing waits; high: all passes, every wait at its usual limit.
 */
export function estimatesOf(input: EstimateInput): Estimates {
  const { spec, scenarios, blocks } = input;
  const sized = scenarios.map((scenario) => sizedOf(input, scenario));
  const once = keptFills(sized);
  const limit = spec.design.budget.written ?? null;
  const bounded = (bytes: number) => (limit === null ? bytes : Math.min(bytes, limit));
  const written = repeated(input, (one) => plus(writtenOf(one), filledOf(one, 'attempt')));
  // A search compares nothing, and a rate that is asked for does not vary.
  const compared = input.search === null && input.contrasts > 0 && !heldByLimit(spec.metric, scenarios);
  const shown = compared ? Object.values(VARIATION) : [];
  return {
    trials: scenarios.length * blocks,
    durationMs: durationOfAll(input, once),
    writtenBytes: {
      low: bounded(once + written.low),
      high: bounded(once * spec.design.labs + written.high),
    },
    writtenBytesLimit: limit,
    // A topic is deleted before the next trial; under a limit one trial's share is at most what every block can have.
    peakDiskBytes:
      once +
      Math.min(
        Math.max(0, ...trialsOf(input).map((one) => writtenOf(one).high + filledOf(one, 'attempt'))),
        limit === null ? Number.POSITIVE_INFINITY : Math.ceil(limit / blocks),
      ),
    precision: shown.flatMap((sd) => precision(blocks, input.contrasts, sd) ?? []),
  };
}

/** Labs, fills that are kept, every run, restarts of brokers, and the wait for credits to end. */
function durationOfAll(input: EstimateInput, keptBytes: number): Range {
  const { spec } = input;
  const runs = repeated(input, (one) => trialDuration(spec, one));
  const restarts = restartsOf(input);
  const { labs, deplete } = spec.design;
  const fillMs = (keptBytes * 1000) / ASSUMED_FILL_BYTES_PER_S;
  const overrunMs = searchOverrunMs(input);
  return {
    low: Math.round(LAB_MS.low * labs + runs.low + restarts.low * RESTART_MS.low),
    high: Math.round(
      (LAB_MS.high + fillMs) * labs +
        runs.high +
        overrunMs +
        restarts.high * RESTART_MS.high +
        (deplete?.limit ?? 0),
    ),
  };
}

function sizedOf(input: EstimateInput, scenario: Scenario, tries?: Tries): Sized {
  const payloads = new Map(input.payloads.map((p) => [p.name, p]));
  return { scenario, payloads, search: input.search, tries };
}

/** Each kind of trial that runs, once. */
function trialsOf(input: EstimateInput): readonly Sized[] {
  return repeatsOf(input).flatMap(({ times, scenarios, tries }) =>
    times.high === 0 ? [] : scenarios.map((s) => sizedOf(input, s, tries)),
  );
}

/** What the steps of a search take beyond their times, where a rate is asked that the lab does not reach. */
function searchOverrunMs(input: EstimateInput): number {
  const { search } = input;
  if (search === null) return 0;
  const steps = repeatsOf(input).find(({ tries }) => tries === 'steps');
  const times = (steps?.scenarios ?? []).map(({ loads }) =>
    Math.max(0, ...loads.map(({ count }) => (count.kind === 'duration' ? count.durationMs : 0))),
  );
  return total(times) * overrunOfSteps(search, steps?.times.high ?? 0);
}

/** Some amount of a trial over everything that runs. */
function repeated(input: EstimateInput, amount: (one: Sized) => Range): Range {
  const parts = repeatsOf(input).map(({ times, scenarios, tries }) => {
    const each = scenarios.map((s) => amount(sizedOf(input, s, tries)));
    return {
      low: times.low * total(each.map((r) => r.low)),
      high: times.high * total(each.map((r) => r.high)),
    };
  });
  return { low: total(parts.map((r) => r.low)), high: total(parts.map((r) => r.high)) };
}

function plus(range: Range, amount: number): Range {
  return { low: range.low + amount, high: range.high + amount };
}

/** Topics that are filled once: the same one is shared by every scenario that does not change it. */
function keptFills(sized: readonly Sized[]): number {
  const kept = new Map(
    sized.flatMap((one) =>
      one.scenario.topics.flatMap((topic) =>
        topic.fill?.each === 'experiment'
          ? [[JSON.stringify(topic), { ...one, scenario: { ...one.scenario, topics: [topic] } }] as const]
          : [],
      ),
    ),
  );
  return total([...kept.values()].map((one) => filledOf(one, 'experiment')));
}

function trialDuration(spec: Spec, sized: Sized): Range {
  const loads = sized.scenario.loads.map((load) => durationOf(sized, load));
  const fillMs = (filledOf(sized, 'attempt') * 1000) / ASSUMED_FILL_BYTES_PER_S;
  const { quiet, limit, method, drain } = spec.settle;
  const settled = method === 'sync' ? Math.min(limit, quiet + SYNC_MS) : limit;
  return {
    low: TRIAL_OVERHEAD_MS.low + quiet + Math.max(0, ...loads.map((l) => l.low)),
    high: TRIAL_OVERHEAD_MS.high + fillMs + settled + drain + Math.max(0, ...loads.map((l) => l.high)),
  };
}

/** Bytes that exact counts write for certain, in the fewest passes; a limit below that can never be kept. */
export function certainlyWrittenBytes(input: EstimateInput): number {
  const exact = input.scenarios.map((scenario) =>
    sizedOf(input, { ...scenario, loads: scenario.loads.filter((l) => l.count.kind === 'records') }),
  );
  return input.blocks * total(exact.map((one) => writtenOf(one).low));
}
