import type { Plan, Scenario } from '../design/plan.ts';
import { passesAfterFreeze, passesOfBlock } from '../design/passes.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { shortOfRecords, withConsumers } from './consumer-counts.ts';
import { filledEachAttempt, filledOnce } from './fill-bytes.ts';
import { bytesText } from './format.ts';
import {
  type LoadPair,
  type PlannedLoad,
  pairLoads,
  plannedLoads,
  plannedTailMs,
  rateOfLines,
  steadyLines,
} from './series.ts';

/** Scenario slug → load name → records. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A pilot only has to show the rate: never more than this. */
const PILOT_RECORDS = 20_000;
const PILOT_BYTES = 32 * 2 ** 20;
const PILOT_LIMITED_MS = 5_000;
/** Block 0 has no ramp yet: room for one until there is. */
const PROVISIONAL_RAMP_MS = 5_000;
/** A trial that is this much faster than block 0 still has its window; otherwise fast trials would be void and slow ones stay. */
const FASTER_THAN_BLOCK_0 = 1.25;
/** Where block 0 ended before its passes agreed, rates are still rising, or the machine is uneven: more room. */
const FASTER_THAN_UNSETTLED_BLOCK_0 = 1.5;
/** A pilot ends before the JVM is warm, so its total rate is far too low. */
const PILOT_CATCH_UP = 2;

/**
 * Records of every load in a pass of block 0. Pass 1: a short pilot for loads given as a duration (20,000 records or 32 MiB of payload,
 * whichever is fewer; 5 s of a rate-limited load). Later passes: what the duration takes at the rate of the pass before, and at most the
 * pass's share of the plan's limit of written bytes. Loads given in records are as asked in every pass.
 *
 * @param before trials of the pass before; only their series and rates are read, valid or not.
 */
export function countsForPass(plan: Plan, pass: number, before: readonly TrialRecord[]): Counts {
  const full = mapLoads(plan, (planned, scenario) => {
    const { count, recordsPerS } = planned.load;
    if (count.kind === 'records') return count.records;
    if (recordsPerS !== null) {
      return atRate(
        recordsPerS,
        pass === 1 ? Math.min(PILOT_LIMITED_MS, count.durationMs) : count.durationMs,
      );
    }
    const pair = pass === 1 ? undefined : loadIn(plan, before, scenario.slug, planned.load.name);
    const rate = rateToExpect(pair, PROVISIONAL_RAMP_MS);
    if (rate === null) return pilotRecords(planned);
    return atRate(
      rate,
      neededMs(plan, planned, rate, plan.window.rampMs ?? PROVISIONAL_RAMP_MS, FASTER_THAN_BLOCK_0),
    );
  });
  const limit = plan.estimates.writtenBytesLimit;
  const passes = passesAfterFreeze(plan) + passesOfBlock(plan) * plan.warmup.maxPasses;
  const counts =
    limit === null
      ? full
      : cutToLimit(plan, full, (limit - filledOnce(plan, plan.scenarios)) / passes).counts;
  return withConsumers(plan, counts, {
    before: pass === 1 ? [] : before,
    leastMs: FASTER_THAN_BLOCK_0 * plan.window.minMs,
  });
}

/**
 * Records of every load in every measured block. Rate-limited durations: rate × time. Others: the rate of block 0's last pass × the duration,
 * longer where ramp, tail and the shortest window need it. Cut to what the plan may still write, with a note.
 *
 * @param writtenBytes what block 0 has written, all copies.
 * @param warm whether block 0 ended because two passes agreed; if not, loads get more room to be faster.
 */
export function countsForBlocks(
  plan: Plan,
  rampMs: number,
  lastPass: readonly TrialRecord[],
  writtenBytes: number,
  warm: boolean,
): { readonly counts: Counts; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const headroom = warm ? FASTER_THAN_BLOCK_0 : FASTER_THAN_UNSETTLED_BLOCK_0;
  const full = mapLoads(plan, (planned, scenario) => {
    const { name, count, recordsPerS } = planned.load;
    if (count.kind === 'records') return count.records;
    if (recordsPerS !== null) {
      const shortMs = leastMs(plan, planned, recordsPerS, rampMs) - count.durationMs;
      if (shortMs > 0) notes.push(tooShortNote(scenario.slug, name, shortMs));
      return atRate(recordsPerS, count.durationMs);
    }
    const rate = rateToExpect(loadIn(plan, lastPass, scenario.slug, name), rampMs);
    if (rate === null) {
      notes.push(`${scenario.slug}: block 0 gave no rate for ${name}; its trials run the pilot's count`);
      return pilotRecords(planned);
    }
    const ms = neededMs(plan, planned, rate, rampMs, headroom);
    if (ms > count.durationMs) notes.push(longerNote(plan, scenario.slug, name, count.durationMs, ms));
    return atRate(rate, ms);
  });
  const limit = plan.estimates.writtenBytesLimit;
  const cut =
    limit === null
      ? { counts: full, share: 1 }
      : cutToLimit(plan, full, (limit - writtenBytes) / Math.max(1, passesAfterFreeze(plan)));
  if (limit !== null && cut.share < 1) notes.push(cutNote(plan, limit, cut.share));
  const rates = { before: lastPass, leastMs: headroom * plan.window.minMs };
  const counts = withConsumers(plan, cut.counts, rates);
  return { counts, notes: [...notes, ...shortOfRecords(plan, counts, rates)] };
}

/**
 * Bytes that these trials put on disks: records × record size × copies, fills included; uncompressed, so rather too many.
 */
export function writtenBytesOf(plan: Plan, trials: readonly TrialRecord[]): number {
  const sent = trials
    .flatMap((t) => pairLoads(plan, t))
    .reduce((sum, { planned, record }) => sum + bytesOf(planned, record.asked), 0);
  const ran = trials.flatMap((t) => plan.scenarios.find((s) => s.slug === t.scenario) ?? []);
  const again = ran.reduce((sum, scenario) => sum + filledEachAttempt(plan, scenario), 0);
  return sent + again + filledOnce(plan, ran);
}

function pilotRecords(planned: PlannedLoad): number {
  return Math.max(1, Math.min(PILOT_RECORDS, Math.floor(PILOT_BYTES / planned.recordBytes)));
}

function bytesOf(planned: PlannedLoad, records: number): number {
  return records * planned.recordBytes * planned.replication;
}

function atRate(recordsPerS: number, ms: number): number {
  return Math.max(1, Math.ceil((recordsPerS * ms) / 1000));
}

function mapLoads(plan: Plan, count: (planned: PlannedLoad, scenario: Scenario) => number): Counts {
  return Object.fromEntries(
    plan.scenarios.map((scenario) => [
      scenario.slug,
      Object.fromEntries(plannedLoads(plan, scenario).map((p) => [p.load.name, count(p, scenario)])),
    ]),
  );
}

/** The load in the last attempt of its scenario that shows any rate. */
function loadIn(
  plan: Plan,
  trials: readonly TrialRecord[],
  scenario: string,
  name: string,
): LoadPair | undefined {
  return trials
    .filter((t) => t.scenario === scenario)
    .toSorted((a, b) => a.attempt - b.attempt)
    .flatMap((t) => pairLoads(plan, t))
    .filter((p) => p.planned.load.name === name)
    .findLast(({ record }) => record.totalRecordsPerS !== null || record.series.length > 0);
}

/** Records/s to expect of the next run: steady if there is a window, else the best whole line after the first, else more than the total. */
function rateToExpect(pair: LoadPair | undefined, rampMs: number): number | null {
  if (pair === undefined) return null;
  const steady = rateOfLines(steadyLines(pair, rampMs));
  if (steady !== null && steady > 0) return steady;
  const lines = pair.record.series.slice(1).map((line) => (1000 * line.records) / line.lengthMs);
  const total = pair.record.totalRecordsPerS ?? 0;
  const best = lines.length > 0 ? Math.max(total, ...lines) : PILOT_CATCH_UP * total;
  return best > 0 ? best : null;
}

function neededMs(
  plan: Plan,
  planned: PlannedLoad,
  recordsPerS: number,
  rampMs: number,
  headroom: number,
): number {
  const { count } = planned.load;
  const durationMs = count.kind === 'duration' ? count.durationMs : 0;
  return Math.max(durationMs, headroom * leastMs(plan, planned, recordsPerS, rampMs));
}

/** The shortest load that has its steady window between ramp and tail. */
function leastMs(plan: Plan, planned: PlannedLoad, recordsPerS: number, rampMs: number): number {
  return rampMs + plan.window.minMs + plannedTailMs(planned, recordsPerS);
}

/** Scales the loads given as durations so that one pass over all scenarios writes at most `bytes`; counts asked for stay. */
function cutToLimit(plan: Plan, counts: Counts, bytes: number): { counts: Counts; share: number } {
  let fixed = plan.scenarios.reduce((sum, scenario) => sum + filledEachAttempt(plan, scenario), 0);
  let flexible = 0;
  mapLoads(plan, (planned, scenario) => {
    const records = counts[scenario.slug]?.[planned.load.name] ?? 0;
    if (planned.load.count.kind === 'records') fixed += bytesOf(planned, records);
    else flexible += bytesOf(planned, records);
    return records;
  });
  const share = flexible === 0 ? 1 : Math.min(1, Math.max(0, (bytes - fixed) / flexible));
  if (share === 1) return { counts, share };
  const cut = mapLoads(plan, (planned, scenario) => {
    const records = counts[scenario.slug]?.[planned.load.name] ?? 0;
    return planned.load.count.kind === 'records' ? records : Math.max(1, Math.floor(records * share));
  });
  return { counts: cut, share };
}

function longerNote(plan: Plan, scenario: string, load: string, askedMs: number, ms: number): string {
  const [asked, runs, window] = [askedMs, ms, plan.window.minMs].map((v) => (v / 1000).toFixed(0));
  return `${scenario}: ${load} was asked for ${asked} s and runs about ${runs} s, so that ${window} s stay steady after ramp and tail`;
}

function tooShortNote(scenario: string, load: string, shortMs: number): string {
  return (
    `${scenario}: ${load} is ${Math.ceil(shortMs / 1000)} s too short for ramp, steady window and tail at its rate limit; its trials ` +
    `will be void. Give it more time`
  );
}

function cutNote(plan: Plan, limit: number, share: number): string {
  return (
    `counts are cut to ${Math.max(1, Math.floor(100 * share))} % so that the experiment writes at most ${bytesText(limit)} ` +
    `(new attempts of void trials come on top). Where steady windows fall below ${plan.window.minMs / 1000} s trials will be void: ` +
    `raise the limit or run fewer blocks`
  );
}
