import { describe, expect, it } from 'vitest';
import type { Evidence, ProducerEvidence } from '../../src/measure/evidence.ts';
import { offsetsSettled } from '../../src/measure/offsets-settled.ts';
import { deservesNewAttempt, reason, REASONS } from '../../src/measure/reasons.ts';
import { verdict } from '../../src/measure/verdict.ts';
import { ASKED, evidence, goodLoad, machine, partitions } from './evidence.ts';
import { kafkaCase, readErrors, readProducer } from './helpers.ts';
import { printLoad, steadyLoad } from './lines-of-load.ts';

const codes = (one: Evidence): string[] => verdict(one).reasons.map((found) => found.code);
const says = (one: Evidence, code: string): string =>
  verdict(one).reasons.find((found) => found.code === code)?.message ?? '';

/** A load whose output is a capture of the real tool. */
function captured(
  name: string,
  asked: number,
  stderr: string,
  over: Partial<ProducerEvidence> = {},
): ProducerEvidence {
  const errors = readErrors(stderr);
  return goodLoad({
    output: readProducer(kafkaCase(`${name}.stdout`)),
    asked,
    errors,
    failedCallbacks: errors.failedCallbacks,
    ...over,
  });
}

it('a plain acks=all run is valid, without a flag', () => {
  expect(verdict(evidence())).toEqual({ valid: true, reasons: [], flags: [] });
});

it('acks=0 with slow followers whose offsets came to equal the sum is valid', () => {
  const behind = [
    { atMs: 0, records: ASKED - 9000 },
    { atMs: 500, records: ASKED },
  ];
  expect(offsetsSettled(behind, ASKED, 500, true)).toEqual({ settled: true, because: 'equal' });
  expect(verdict(evidence()).valid).toBe(true);
});

describe('how a load ended', () => {
  it('RF1 acks=1, a broker killed: who was replaced, who moved, what failed, what is missing', () => {
    const load = captured(
      'prod-kill-broker-rf1-acks1',
      60_000,
      kafkaCase('prod-kill-broker-rf1-acks1.stderr.gz'),
    );
    const one = evidence({
      loads: [load],
      topics: [
        {
          topic: 'main',
          inLog: 56_718,
          before: partitions(),
          after: partitions((p) => (p.partition === 1 ? { ...p, leader: -1, isr: [] } : p)),
        },
      ],
      identities: [
        { who: 'broker b2', before: 'pid 10', after: null },
        { who: 'broker b1', before: 'pid 9', after: 'pid 9' },
      ],
    });
    expect(codes(one)).toEqual([
      'host-gone',
      'isr-shrunk',
      'leader-moved',
      'count-short',
      'callbacks-failed',
      'window-too-short',
    ]);
    expect(says(one, 'count-short')).toBe('p: 56,718 of 60,000 records succeeded, 3,282 did not');
    expect(says(one, 'callbacks-failed')).toMatch(/^p: 3,282 sends failed \(TimeoutException\)/);
    expect(says(one, 'host-gone')).toMatch(/broker b2/);
  });

  it('RF3 acks=0, a broker killed: the loss is seen only in the log', () => {
    const one = evidence({
      topics: [{ topic: 'main', inLog: ASKED - 492, before: partitions(), after: partitions() }],
    });
    expect(codes(one)).toEqual(['offsets-lost']);
    expect(says(one, 'offsets-lost')).toBe(
      'main: 820,000 records were claimed, 819,508 are in the log, 492 are lost',
    );
  });

  it('acks=0 and the broker rejects every record', () => {
    const one = evidence({
      topics: [{ topic: 'main', inLog: 0, before: partitions(), after: partitions() }],
    });
    expect(codes(one)).toEqual(['offsets-lost']);
  });

  it('record too large: nothing succeeded, the class is quoted, no window is missed beside it', () => {
    const one = evidence({
      loads: [captured('prod-err-too-large', 5, kafkaCase('prod-err-too-large.stderr'))],
      topics: [{ topic: 'main', inLog: 0, before: partitions(), after: partitions() }],
    });
    expect(codes(one)).toEqual(['count-short', 'callbacks-failed']);
    expect(says(one, 'callbacks-failed')).toMatch(
      /5 sends failed \(RecordTooLargeException\).*2000088 bytes/,
    );
  });

  it('load killed: signal and missing final line', () => {
    const one = evidence({
      loads: [
        captured('prod-sigkill-truncated', 100_000, '', {
          exit: { code: 137, by: 'itself', startedAtMs: 0, endedAtMs: 4000 },
        }),
      ],
      topics: [{ topic: 'main', inLog: 30_000, before: partitions(), after: partitions() }],
    });
    expect(codes(one)).toEqual(['tool-exit', 'no-summary']);
    expect(says(one, 'tool-exit')).toBe('p: the perf tool was killed by signal 9');
    expect(says(one, 'no-summary')).toMatch(/3 interval lines with 24,849 records/);
  });

  it('heap too small: exit 1, the OutOfMemoryError quoted', () => {
    const stderr =
      'Exception in thread "kafka-producer-network-thread" java.lang.OutOfMemoryError: Java heap space\n\tat a.b\n';
    const load = goodLoad({
      output: readProducer(''),
      errors: readErrors(stderr),
      exit: { code: 1, by: 'itself', startedAtMs: 0, endedAtMs: 900 },
    });
    const one = evidence({
      loads: [load],
      topics: [{ topic: 'main', inLog: 0, before: partitions(), after: partitions() }],
    });
    expect(codes(one)).toEqual(['tool-exit', 'no-summary']);
    expect(says(one, 'tool-exit')).toMatch(/exit code 1: .*OutOfMemoryError: Java heap space/);
  });

  it('runner killed: capsule lost, and a new attempt is deserved', () => {
    const load = goodLoad({
      state: 'lost',
      exit: null,
      output: readProducer(kafkaCase('prod-sigkill-truncated.stdout')),
    });
    const found = verdict(evidence({ loads: [load] }));
    expect(found.reasons.map((r) => r.code)).toContain('capsule-lost');
    expect(deservesNewAttempt(found.reasons)).toBe(true);
  });

  it('a deadline is a wall timeout', () => {
    const load = goodLoad({
      exit: { code: 137, by: 'deadline', startedAtMs: 0, endedAtMs: 90_000 },
      output: readProducer(''),
    });
    const one = evidence({ loads: [load] });
    expect(codes(one)).toEqual(['wall-timeout', 'no-summary']);
    expect(says(one, 'wall-timeout')).toMatch(/90\.0 s/);
  });

  it('two final lines, and more records than asked', () => {
    const text = printLoad(steadyLoad(20, 40_000));
    expect(codes(evidence({ loads: [goodLoad({ output: readProducer(text + text, true) })] }))).toContain(
      'no-summary',
    );
    expect(codes(evidence({ loads: [goodLoad({ asked: ASKED - 1 })] }))).toEqual([
      'count-over',
      'duplicates',
    ]);
  });

  it("the tool's times against its process", () => {
    const one = evidence({
      loads: [goodLoad({ exit: { code: 0, by: 'itself', startedAtMs: 0, endedAtMs: 15_000 } })],
    });
    expect(codes(one)).toEqual(['times-inconsistent']);
    expect(says(one, 'times-inconsistent')).toMatch(/20\.5 s.*15\.0 s/);
  });

  it('failed sends that were cut from the kept stderr still count', () => {
    expect(says(evidence({ loads: [goodLoad({ failedCallbacks: 7 })] }), 'callbacks-failed')).toBe(
      'p: 7 sends failed',
    );
  });
});

describe('the brokers', () => {
  it('a follower paused in mid load, back before the end: only the log line tells', () => {
    const line = 'Shrinking ISR from 1,2,3 to 1,2';
    const one = evidence({
      events: [
        { broker: 'b1', kind: 'isr-shrunk', line },
        { broker: 'b1', kind: 'isr-shrunk', line },
        { broker: 'b2', kind: 'error', line: 'x' },
      ],
    });
    expect(codes(one)).toEqual(['isr-shrunk']);
    expect(says(one, 'isr-shrunk')).toBe(`broker b1 logged (first of 2 lines): ${line}`);
  });

  it('ISR not full before the load, or after it', () => {
    const thin = partitions((p) => ({ ...p, isr: [1, 2] }));
    const one = evidence({ topics: [{ topic: 'main', inLog: ASKED, before: thin, after: partitions() }] });
    expect(says(one, 'isr-shrunk')).toBe(
      'main: partition 0 lacks broker 3 in its ISR before the load; 1 lacks broker 3 in its ISR before the load; 2 lacks broker 3 in its ISR before the load',
    );
    expect(
      codes(evidence({ topics: [{ topic: 'main', inLog: ASKED, before: partitions(), after: thin }] })),
    ).toEqual(['isr-shrunk']);
  });

  it('a leader that went and came back is told by its epoch', () => {
    const after = partitions((p) => (p.partition === 2 ? { ...p, leaderEpoch: 2 } : p));
    const one = evidence({ topics: [{ topic: 'main', inLog: ASKED, before: partitions(), after }] });
    expect(says(one, 'leader-moved')).toBe('main: partition 2 went from leader epoch 0 to 2');
    expect(codes(one)).toEqual(['leader-moved']);
  });

  it('a broker that was restarted is another process', () => {
    expect(
      codes(evidence({ identities: [{ who: 'broker b2', before: 'pid 10', after: 'pid 99' }] })),
    ).toEqual(['host-replaced']);
  });

  it('offsets that nobody could be asked for do not pass', () => {
    expect(
      codes(evidence({ topics: [{ topic: 'main', inLog: null, before: partitions(), after: null }] })),
    ).toEqual(['host-gone', 'host-gone']);
  });

  it('more in the log than asked are duplicates, but not with transactions', () => {
    const topics = [{ topic: 'main', inLog: ASKED + 18, before: partitions(), after: partitions() }];
    expect(says(evidence({ topics }), 'duplicates')).toMatch(
      /820,000 records were asked, 820,018 are in the log/,
    );
    expect(verdict(evidence({ topics, loads: [goodLoad({ transactional: true })] })).valid).toBe(true);
  });

  it('a full disk is told by the broker and not tried again', () => {
    const found = verdict(
      evidence({ events: [{ broker: 'b1', kind: 'disk-full', line: 'No space left on device' }] }),
    );
    expect(found.reasons.map((r) => r.code)).toEqual(['disk-full']);
    expect(deservesNewAttempt(found.reasons)).toBe(false);
  });
});

describe('the measurement', () => {
  it('a window that is too short is not tried again, whatever else is wrong', () => {
    const short = reason('window-too-short', 'the steady window is 1.2 s');
    expect(deservesNewAttempt([short])).toBe(false);
    expect(deservesNewAttempt([reason('sampler-gap', 'a gap'), short])).toBe(false);
    expect(deservesNewAttempt([reason('sampler-gap', 'a gap')])).toBe(true);
  });

  it('samples must cover the window', () => {
    expect(codes(evidence({ machines: [machine({ coverage: 0.96 })] }))).toEqual([]);
    expect(says(evidence({ machines: [machine({ coverage: 0.9, gaps: 1 })] }), 'sampler-gap')).toBe(
      'this machine: samples cover 90 % of the window (1 gap), 95 % are needed',
    );
    expect(codes(evidence({ machines: [{ name: 'm', summary: null }] }))).toEqual(['sampler-gap']);
  });

  it('the window must be long enough, unless none is asked for', () => {
    expect(says(evidence({ minWindowMs: 60_000 }), 'window-too-short')).toMatch(/15\.0 s, at least 60\.0 s/);
    const loads = [goodLoad({ asked: 60_000, output: readProducer(printLoad(steadyLoad(1, 40_000)), true) })];
    const topics = [{ topic: 'main', inLog: 60_000, before: partitions(), after: partitions() }];
    expect(codes(evidence({ loads, topics }))).toEqual(['window-too-short']);
    expect(codes(evidence({ loads, topics, minWindowMs: 0 }))).toEqual([]);
  });

  it('loads that did not run side by side have no overlap', () => {
    const late = readProducer(printLoad(steadyLoad(20, 40_000, 1_796_038_829_000 + 15_000)), true);
    const loads = [goodLoad({ name: 'p-1' }), goodLoad({ name: 'p-2', output: late })];
    const topics = [{ topic: 'main', inLog: 2 * ASKED, before: partitions(), after: partitions() }];
    expect(codes(evidence({ loads, topics }))).toEqual(['no-overlap']);
    expect(codes(evidence({ loads, topics, minWindowMs: 0 }))).toEqual(['no-overlap']);
    expect(codes(evidence({ loads, topics, minWindowMs: 0, rehearsal: true }))).toEqual([]);
  });

  it('what the caller knows stands first, and what was never looked at is no finding', () => {
    const known = [reason('aborted', 'by the user')];
    const loads = [goodLoad({ state: 'absent', exit: null, output: readProducer('') })];
    const one = evidence({
      known,
      loads,
      machines: [],
      identities: [{ who: 'broker b1', before: 'x', after: null }],
      topics: [{ topic: 'main', inLog: null, before: null, after: null }],
    });
    expect(codes(one)).toEqual(['aborted']);
    expect(codes({ ...one, known: [] })).toEqual(['host-gone', 'host-gone', 'capsule-lost', 'host-gone']);
  });
});

describe('offsets', () => {
  it('unchanged for five seconds, watched, with full ISR', () => {
    const still = [0, 1000, 2000, 3000, 4000, 5000].map((atMs) => ({ atMs, records: 90 }));
    expect(offsetsSettled(still, 100, 5000, true)).toEqual({ settled: true, because: 'unchanged' });
    expect(offsetsSettled(still, 100, 5000, false).settled).toBe(false);
    expect(offsetsSettled(still.slice(0, 5), 100, 60_000, true).settled).toBe(false);
    expect(offsetsSettled([{ atMs: 0, records: 80 }, ...still.slice(1)], 100, 5000, true).settled).toBe(
      false,
    );
    expect(offsetsSettled([], 100, 5000, true).settled).toBe(false);
  });
});

it('every reason that a verdict gives is in the closed list, with its class and a message', () => {
  const worst = evidence({
    loads: [
      goodLoad({
        exit: { code: 1, by: 'itself', startedAtMs: 0, endedAtMs: 1 },
        output: readProducer(''),
        failedCallbacks: 3,
      }),
    ],
    topics: [{ topic: 'main', inLog: 5 * ASKED, before: partitions((p) => ({ ...p, isr: [] })), after: [] }],
    identities: [{ who: 'x', before: 'a', after: 'b' }],
  });
  const { reasons } = verdict(worst);
  expect(reasons.length).toBeGreaterThan(5);
  for (const found of reasons) {
    expect(REASONS[found.code].class).toBe(found.class);
    expect(found.message).not.toMatch(/NaN|undefined|null/);
  }
});
