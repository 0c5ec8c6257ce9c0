import { sha256Hex } from '../../src/design/names.ts';
import { type Reason, reason } from '../../src/measure/reasons.ts';
import type { LoadRecord, SettleOutcome, TrialRecord } from '../../src/measure/trial-record.ts';
import type { Fixture } from './fixture-cases.ts';
import { plan, RECORD_BYTES } from './fixture-plan.ts';

export const START_MS = Date.UTC(2026, 10, 30, 9, 0, 0);

/** Noise that is the same every time: no clock, no random numbers. In −1 … 1. */
function wobble(...parts: readonly (number | string)[]): number {
  return (Number.parseInt(sha256Hex(parts.join('/')).slice(0, 8), 16) / 0xffffffff) * 2 - 1;
}

function load(fixture: Fixture, slug: string, recordsPerS: number, startMs: number): LoadRecord {
  const seconds = 20;
  const series = Array.from({ length: seconds }, (_, i) => {
    const ramp = Math.min(1, 0.35 + i * 0.22);
    const records = Math.round(recordsPerS * ramp * (1 + 0.05 * wobble(slug, startMs, i)));
    return {
      endMs: (i + 1) * 1000,
      lengthMs: i === 9 && slug === fixture.scenarios[0] ? 1620 : 1000,
      records,
      avgLatencyMs: 12,
      stall: i === 9 && slug === fixture.scenarios[0],
    };
  });
  const total = series.reduce((sum, s) => sum + s.records, 0);
  return {
    name: 'p',
    kind: 'producer',
    topic: 'main',
    asked: total,
    finalCount: total,
    exitCode: 0,
    failedCallbacks: 0,
    stderrCutBytes: 0,
    command: [
      'java',
      '-Xmx256m',
      'org.apache.kafka.tools.ProducerPerformance',
      '--topic',
      'assay.main',
      '--num-records',
      String(total),
      '--producer-props',
      `batch.size=${slug}`,
    ],
    totalRecordsPerS: total / seconds,
    latencyMs: { avg: 310.2, max: 912, p50: 290, p95: 590, p99: 720, p999: 880 },
    series,
    steady: {
      recordsPerS,
      bytesPerS: recordsPerS * RECORD_BYTES,
      windowMs: 13_000,
      intervals: 13,
      stalls: 0,
      over: 'own',
      fromMs: startMs + 5000,
      toMs: startMs + 18_000,
    },
    metrics: { 'producer-metrics:record-size-avg': RECORD_BYTES },
    startedAtMs: startMs,
    endedAtMs: startMs + seconds * 1000,
    cpuCores: 0.83,
  };
}

function settled(
  outcome: SettleOutcome['outcome'],
  method: SettleOutcome['method'],
  tookMs: number,
): SettleOutcome {
  return {
    outcome,
    method,
    tookMs,
    baseDirtyBytes: 2 ** 20,
    curve: [
      { atMs: 0, dirtyBytes: 2 ** 28, deviceWriteBytesPerS: 2 ** 26 },
      { atMs: tookMs, dirtyBytes: 2 ** 21, deviceWriteBytesPerS: null },
    ],
  };
}

/** One attempt; `why` voids it. */
export function trial(
  fixture: Fixture,
  at: {
    block: number;
    pass: number | null;
    position: number;
    scenario: 0 | 1;
    attempt: number;
    slot: number;
  },
  why: readonly Reason[] = [],
): TrialRecord {
  const slug = fixture.scenarios[at.scenario];
  const startMs = START_MS + at.slot * 60_000;
  const recordsPerS =
    fixture.ratesPerS[at.scenario] *
    (1 + fixture.noise * wobble(slug, at.block, at.attempt)) *
    (1 + 0.05 * wobble(at.block));
  const one = load(fixture, slug, recordsPerS, startMs);
  return {
    format: 1,
    experimentKey: 'first-look-1a2b3c4d',
    id: `${at.pass === null ? `b${at.block}` : `b0.p${at.pass}`}/${slug}/a${at.attempt}`,
    block: at.block,
    pass: at.pass,
    scenario: slug,
    attempt: at.attempt,
    position: at.position,
    startedAt: new Date(startMs - 9000).toISOString(),
    endedAt: new Date(startMs + 30_000).toISOString(),
    verdict: {
      valid: why.length === 0,
      reasons: why,
      flags:
        at.block === 2
          ? [{ code: 'client-bound', message: 'the client used 0.97 of its one core inside the window' }]
          : [],
    },
    rate: one.steady,
    loads: [one],
    settle: settled('QUIET', 'sync', 6200),
    drain: settled(at.block === 4 ? 'PLATEAU' : 'QUIET', 'watch', 14_300),
    offsets: [{ topic: 'main', asked: one.asked, claimed: one.finalCount, inLog: one.finalCount }],
    host: {
      coverage: 1,
      samples: 21,
      busyCores: 1.7,
      stealShare: 0.01,
      outsideLabShare: 0.02,
      brokerCores: { b1: 0.3, b2: 0.28, b3: null },
      clientCores: { p: 0.83 },
      deviceWriteBytesPerS: 6e7,
      deviceReadBytesPerS: 0,
      deviceBusyShare: 0.4,
      network: { receivedBytesPerS: 4e7, sentBytesPerS: 4e7 },
      dirtyBytesMax: 4e8,
      psi: { cpuSomeShare: 0.2, ioSomeShare: null },
      clockSteps: 0,
      gaps: 0,
    },
    phasesMs: {
      prepare: 900,
      settle: 6200,
      load: 21_000,
      drain: 14_300,
      verify: 700,
      collect: 300,
      release: 1200,
    },
    raw: [
      { path: 'p.stdout', sha256: sha256Hex(slug), bytes: 1234 },
      { path: 'sampler.jsonl', sha256: sha256Hex('s'), bytes: 456 },
    ],
  };
}

/** All attempts of a fixture in the order they ran. */
export function trials(fixture: Fixture): TrialRecord[] {
  const made: TrialRecord[] = [];
  const add = (
    block: number,
    pass: number | null,
    position: number,
    i: 0 | 1,
    attempt: number,
    why: readonly Reason[] = [],
  ): number =>
    made.push(trial(fixture, { block, pass, position, scenario: i, attempt, slot: made.length }, why));
  const both = (block: number, pass: number | null, order: readonly string[]): void => {
    order.forEach((slug, i) => {
      const which = slug === fixture.scenarios[0] ? 0 : 1;
      const bad =
        fixture.voided?.block === block && fixture.voided.scenario === which ? fixture.voided : null;
      const stop = fixture.abortedIn === block && block > 0 && i === 1;
      if (stop)
        add(block, pass, i + 1, which, 1, [
          reason('aborted', 'the experiment was aborted in the phase load'),
        ]);
      else if (bad) add(block, pass, i + 1, which, 1, [reason(bad.code, fixture.hostile ?? bad.message)]);
      else add(block, pass, i + 1, which, 1);
    });
    if (fixture.voided?.block === block && fixture.abortedIn === undefined)
      add(block, pass, order.length + 1, fixture.voided.scenario, 2);
  };
  const { warmup, orders } = plan(fixture);
  warmup.orders.slice(0, fixture.abortedIn === 0 ? 1 : 2).forEach((order, i) => both(0, i + 1, order));
  orders.slice(0, fixture.abortedIn ?? fixture.blocks).forEach((order, i) => both(i + 1, null, order));
  return made;
}
