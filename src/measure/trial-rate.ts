import type { Metric } from '../design/plan.ts';
import { combinedRate } from './combined.ts';
import type { ConsumerOutput } from './consumer.ts';
import { consumerSpan, fetchRateOf, type LoadSpan, producerSpan } from './load-span.ts';
import type { ProducerOutput } from './producer.ts';
import type { TimedInterval, Timeline } from './timeline.ts';
import { placeIntervals, timelineOf } from './timeline.ts';
import type { LoadRecord, SteadyRate } from './trial-record.ts';
import { limitedTailMs, ownWindow, STEADY_AGREES_WITHIN, tailMs } from './windows.ts';

/** One load of a trial, as far as its rate needs it. */
export type MeasuredLoad = MeasuredProducer | MeasuredConsumer;

export interface MeasuredProducer {
  readonly kind: 'producer';
  readonly name: string;
  readonly output: ProducerOutput;
  /** `--reporting-interval` of the tool, ms. */
  readonly intervalMs: number;
  /** Bytes of one record's value. */
  readonly recordBytes: number;
  /** buffer.memory of the producer. */
  readonly bufferBytes: number;
  /** null = as fast as it can. */
  readonly askedRecordsPerS: number | null;
  /** End of the process in wall clock, used only when the final line carries no stamp. */
  readonly endedAtMs: number | null;
}

export interface MeasuredConsumer {
  readonly kind: 'consumer';
  readonly name: string;
  readonly output: ConsumerOutput;
  /**
   * Producers of the trial without which there was nothing to read: its fetch time counts from the first send of any of
   * them. Empty: its topic was filled beforehand.
   */
  readonly feeders: readonly string[];
  /** End of the process in wall clock, used only when the summary row carries no stamp. */
  readonly endedAtMs: number | null;
}

export interface LoadMeasurement {
  readonly name: string;
  /** Of a consumer: its fetch-time rate. */
  readonly steady: SteadyRate | null;
  /** Why there is no steady rate; null when there is one. */
  readonly why: string | null;
  readonly series: LoadRecord['series'];
  readonly totalRecordsPerS: number | null;
  /** First send and final line, of a consumer start and end of the run; wall clock ms. */
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly tailMs: number | null;
  /** steady ÷ total outside ramp and tail − 1. */
  readonly againstTotal: number | null;
  readonly steadyDiffers: boolean;
}

/** Which loads a rate speaks of. */
export type LoadSet = 'all' | 'producers' | 'consumers';

/** The rate of some loads of a trial together. */
export interface SetRate {
  /** Names of these loads; empty = the trial has none of the kind. */
  readonly of: readonly string[];
  readonly rate: SteadyRate | null;
  readonly why: string | null;
  /** null when no overlap was needed, or when some load has no timeline. */
  readonly overlapShare: number | null;
  readonly noOverlap: boolean;
}

/** What the primary metric is made from, each load by itself, and every rate of several. */
export interface TrialMeasurement extends SetRate {
  readonly loads: readonly LoadMeasurement[];
  readonly sets: Readonly<Record<LoadSet, SetRate>>;
}

export interface Cut {
  /** The experiment's one ramp. */
  readonly rampMs: number;
  /** Default `rate`. */
  readonly metric?: Metric;
  /** Of a metric over one of several loads: its own window, or the interval common to all loads. Default `own`. */
  readonly over?: 'own' | 'overlap';
}

/** The loads that a metric speaks of. */
export function setOf(metric: Metric): LoadSet {
  if (metric === 'rate' || metric === 'byteRate') return 'all';
  return metric === 'consumeRate' ? 'consumers' : 'producers';
}

/**
 * The rates of a trial from the outputs of its loads (design §7). Several loads always count over an interval that is
 * common to them: own windows of different times are not summed.
 */
export function measureTrial(loads: readonly MeasuredLoad[], cut: Cut): TrialMeasurement {
  const producers = new Map(
    loads.flatMap((load) => (load.kind === 'producer' ? [[load.name, placeProducer(load, cut.rampMs)]] : [])),
  );
  const placed = loads.flatMap((load) =>
    load.kind === 'consumer' ? [placeConsumer(load, producers)] : (producers.get(load.name) ?? []),
  );
  const over = cut.over ?? 'own';
  const sets = {
    all: rateOf(placed, placed, cut.rampMs, over),
    producers: rateOf(placed.filter(isKind('producer')), placed, cut.rampMs, over),
    consumers: rateOf(placed.filter(isKind('consumer')), placed, cut.rampMs, over),
  };
  return { ...sets[setOf(cut.metric ?? 'rate')], loads: placed.map((one) => one.measurement), sets };
}

/** A load on the wall clock. */
interface Placed {
  readonly kind: MeasuredLoad['kind'];
  readonly measurement: LoadMeasurement;
  /** null: `measurement.why` says why. */
  readonly span: LoadSpan | null;
}

function isKind(kind: MeasuredLoad['kind']): (one: Placed) => boolean {
  return (one) => one.kind === kind;
}

function rateOf(
  set: readonly Placed[],
  all: readonly Placed[],
  rampMs: number,
  over: 'own' | 'overlap',
): SetRate {
  const of = set.map((one) => one.measurement.name);
  const none = (why: string): SetRate => ({ of, rate: null, why, overlapShare: null, noOverlap: false });
  const [only] = set;
  if (only === undefined)
    return none(all.length === 0 ? 'the trial has no load' : 'the trial has no such load');
  if (set.length === 1 && (over === 'own' || all.length === 1)) {
    const { steady, why } = only.measurement;
    return { ...none(''), rate: steady, why };
  }
  const within = over === 'overlap' ? all : set;
  const missing = within.find((one) => one.span === null);
  if (missing !== undefined) return none(`${missing.measurement.name}: ${missing.measurement.why}`);
  return { of, ...combinedRate(spansOf(set), rampMs, spansOf(within)) };
}

function spansOf(set: readonly Placed[]): readonly LoadSpan[] {
  return set.flatMap(({ span }) => (span === null ? [] : [span]));
}

function placeProducer(load: MeasuredProducer, rampMs: number): Placed {
  const { timeline, why } = timelineOf(load.output, load);
  if (timeline === null) {
    const series = seriesOf(placeIntervals(load.output, load.intervalMs, null));
    const total = load.output.final?.recordsPerS ?? null;
    return { kind: 'producer', span: null, measurement: unmeasured(load.name, why, series, total) };
  }
  const tail = tailOf(load, timeline);
  const { name, recordBytes } = load;
  return {
    kind: 'producer',
    span: producerSpan({ name, timeline, tailMs: tail, recordBytes }),
    measurement: measureProducer(load, timeline, tail, rampMs),
  };
}

function tailOf(load: MeasuredProducer, timeline: Timeline): number {
  const fullBufferMs = tailMs(load.bufferBytes, timeline.recordsPerS * load.recordBytes);
  const { askedRecordsPerS } = load;
  if (askedRecordsPerS === null) return fullBufferMs;
  const { records, totalMs } = timeline;
  return limitedTailMs({ records, askedRecordsPerS, totalMs, fullBufferMs });
}

function measureProducer(
  load: MeasuredProducer,
  timeline: Timeline,
  tail: number,
  rampMs: number,
): LoadMeasurement {
  const own = ownWindow(timeline, { rampMs, tailMs: tail, recordBytes: load.recordBytes });
  return {
    name: load.name,
    steady: own.steady,
    why: own.why,
    series: seriesOf(timeline.intervals),
    totalRecordsPerS: timeline.recordsPerS,
    startedAtMs: timeline.startedAtMs,
    endedAtMs: timeline.endedAtMs,
    tailMs: tail,
    againstTotal: own.againstTotal,
    steadyDiffers: own.againstTotal !== null && Math.abs(own.againstTotal) > STEADY_AGREES_WITHIN,
  };
}

/** An idle timeout or a summary that contradicts itself leaves no rate: the verdict says so. */
function placeConsumer(load: MeasuredConsumer, producers: ReadonlyMap<string, Placed>): Placed {
  const { name, output } = load;
  const { final } = output;
  const endedAtMs = output.finalStamp?.wallMs ?? load.endedAtMs;
  const none = (why: string): Placed => {
    const measurement = unmeasured(name, why, [], final?.totalRecordsPerS ?? null);
    return { kind: 'consumer', span: null, measurement };
  };
  if (final === null)
    return none(`there are ${output.finalRows === 0 ? 'no' : output.finalRows} summary rows`);
  if (output.idleTimeoutMs !== null) return none('it gave up after its idle timeout');
  if (endedAtMs === null) return none('the end of the load is not known');
  const fetch = fetchRateOf(final, endedAtMs - firstSend(load.feeders, producers));
  if (typeof fetch === 'string') return none(fetch);
  const { recordsPerS, bytesPerS, fetchMs } = fetch;
  const window = { windowMs: fetchMs, intervals: 0, stalls: 0, fromMs: endedAtMs - fetchMs, toMs: endedAtMs };
  return {
    kind: 'consumer',
    span: consumerSpan({ name, fetch, endedAtMs }),
    measurement: {
      ...unmeasured(name, null, [], final.totalRecordsPerS),
      steady: { recordsPerS, bytesPerS, over: 'fetch', ...window },
      startedAtMs: endedAtMs - (final.elapsedMs ?? fetchMs),
      endedAtMs,
      tailMs: 0,
    },
  };
}

/** When the first of these producers sent its first record; −∞ when none is known to have held a consumer up. */
function firstSend(feeders: readonly string[], producers: ReadonlyMap<string, Placed>): number {
  const starts = feeders.map((name) => producers.get(name)?.span?.startedAtMs ?? Number.NEGATIVE_INFINITY);
  return starts.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...starts);
}

/** The series that a record keeps: each whole interval line. */
function seriesOf(intervals: readonly TimedInterval[]): LoadRecord['series'] {
  return intervals.map(({ endMs, lengthMs, records, avgLatencyMs, stall }) => ({
    endMs,
    lengthMs,
    records,
    avgLatencyMs,
    stall,
  }));
}

function unmeasured(
  name: string,
  why: string | null,
  series: LoadRecord['series'],
  totalRecordsPerS: number | null,
): LoadMeasurement {
  return {
    name,
    steady: null,
    why,
    series,
    totalRecordsPerS,
    startedAtMs: null,
    endedAtMs: null,
    tailMs: null,
    againstTotal: null,
    steadyDiffers: false,
  };
}
