import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { planSummary, planText } from '../../src/cli/plan-text.ts';
import { drawPlan } from '../../src/design/draw-plan.ts';
import type { Plan } from '../../src/design/plan.ts';
import { planJson, planSha256 } from '../../src/design/plan-json.ts';
import { asJson } from '../../src/store/experiment-files.ts';
import { smallSpec } from '../spec/small-spec.ts';

function planOf(changes: Readonly<Record<string, unknown>> = {}): Plan {
  const drawn = drawPlan(smallSpec(changes), { experimentKey: 'key-1' });
  if (!drawn.ok) throw new Error(drawn.issues.map((i) => i.message).join('\n'));
  return drawn.plan;
}

/** Lines that only one of two texts has, as `diff` shows them. */
function difference(a: string, b: string): readonly string[] {
  const [left, right] = [a.split('\n'), b.split('\n')];
  return [
    ...left.filter((line) => !right.includes(line)).map((line) => `- ${line.trim()}`),
    ...right.filter((line) => !left.includes(line)).map((line) => `+ ${line.trim()}`),
  ];
}

describe('a plan as JSON', () => {
  it('has the bytes that are stored, and their hash is the one of the report', () => {
    const plan = planOf();
    expect(planJson(plan)).toBe(asJson(plan));
    expect(planSha256(plan)).toBe(createHash('sha256').update(planJson(plan)).digest('hex'));
  });

  it('is the same for the same spec, whatever the order of its keys and of properties', () => {
    const p = { for: '30s', config: { acks: 'all', 'linger.ms': 5, 'batch.size': '16KiB' } };
    const q = { config: { 'batch.size': '16KiB', 'linger.ms': '5ms', acks: -1 }, for: '30s' };
    const factors = { parts: { set: 'topics.main.partitions', levels: [6, 12] } };
    const one = { settle: { quiet: '2s', drain: '3s' }, producers: { p }, factors };
    const other = { factors, producers: { p: q }, settle: { drain: '3s', quiet: '2s' }, 'x-note': 'any' };
    expect(planJson(planOf(other))).toBe(planJson(planOf(one)));
  });

  it('keeps the order that means something: the first level is the baseline', () => {
    const levels = (first: object) => ({ factors: { f: { levels: first } } });
    const small = { 'topics.main.partitions': 1 };
    const large = { 'topics.main.partitions': 12 };
    expect(planOf(levels({ small, large })).contrasts[0]?.denominator).toBe('f=small');
    expect(planOf(levels({ large, small })).contrasts[0]?.denominator).toBe('f=large');
  });
});

describe('a plan as text', () => {
  it('says everything that was fixed, in human numbers', () => {
    const text = planText(planOf());
    for (const line of [
      'small: Does it matter?',
      'metric: rate',
      'brokers: 3, Kafka 4.3.1, heap 512 MiB',
      'topic main: 6 partitions, 3 copies',
      'p: batch.size=65536 (64 KiB)',
      'for 30 s (counted from block 0) as fast as it can',
      'producers.p.config.batch.size: 4096 → 65536',
      'at most 3 passes, until the steady rate (records/s) of every scenario is within 10 % of the pass before',
      'trials: 12',
      'cost: none, the lab is this machine',
      'precision: how much ratios of rate vary from block to block is an assumption until block 0 has run',
      'precision: 95 % intervals; effects that are seen with 80 % power',
      'if ratios of rate vary by 10 % (usual without a rate limit, as here, on a quiet machine): intervals of ± 11 %',
      'stop: after 6 blocks',
    ])
      expect(text).toContain(line);
    expect(text).toMatch(/^Plan: sha256 [0-9a-f]{64}$/m);
    expect(text).not.toMatch(/NaN|undefined|null|\[object/);
  });

  it('puts advice last', () => {
    const lines = planText(planOf({ design: { blocks: 3 } }))
      .trimEnd()
      .split('\n');
    const first = lines.findIndex((line) => line.startsWith('Note: '));
    expect(first).toBeGreaterThan(0);
    expect(lines.slice(first).every((line) => line.startsWith('Note: '))).toBe(true);
  });

  it('of two specs that differ in one setting differs in that line, and in what follows from it', () => {
    const seeded = { design: { seed: 7 } };
    const text = (more: object) => planText(planOf({ ...seeded, ...more }));
    const found = difference(text({}), text({ settle: { quiet: '2s' } }));
    expect(found.filter((line) => !line.includes('sha256'))).toEqual([
      '- settle: wait, quiet for 5 s, at most 1 min',
      expect.stringMatching(/^- time: /) as string,
      '+ settle: wait, quiet for 2 s, at most 1 min',
      expect.stringMatching(/^\+ time: /) as string,
    ]);
  });

  it('shows confounds and settings that change by themselves', () => {
    const acks = { factors: { acks: { set: 'producers.*.config.acks', levels: ['all', 1] } } };
    const text = planText(planOf(acks));
    expect(text).toContain('producers.p.config.enable.idempotence: true → false (by itself)');
    expect(text).toContain('confounded: more than one setting changes');
  });

  it('shows broker settings, and where each begins in a block', () => {
    const io = { factors: { io: { set: 'lab.brokers.config.num.io.threads', levels: [8, 16] } } };
    const text = planText(planOf(io));
    expect(text).toContain(
      'brokers plot-2: num.io.threads=16, heap 512 MiB; applied anew in every block, by a restart',
    );
    expect(text).toMatch(/ 1: \[plot-\d\] {2}io=\d+ {2}\[plot-\d\] {2}io=\d+\n/);
  });

  it('shows fills, consumers, expectations, the stopping rule and what is kept', () => {
    const text = planText(
      planOf({
        topics: { live: {}, archive: { fill: { records: '3M', each: 'experiment', cache: 'cold' } } },
        producers: { p: { topic: 'live', records: '1M', rate: '20k/s', transactional: '1s' } },
        consumers: { c: { topic: 'archive', processes: 2 } },
        metric: 'produceRate',
        expect: [{ metric: 'produceRate', of: '64KiB', versus: 'baseline', min: 1.1 }],
        design: { until: { halfWidth: '10%' } },
        teardown: { keep: '2h' },
      }),
    );
    for (const line of [
      'topic archive: filled with 3,000,000 records json-1008B-20000l-p0-s1 once, kept for the whole experiment, dropped from memory before (cold)',
      'p on c1: writes json-1008B-20000l-p0-s1 to live, 1,000,000 records at 20,000 records/s, in transactions of 1 s',
      'c-1 on c1: reads archive from its start as one of 2 in group c, 45 % of everything in it',
      'expected: produceRate of batch=64KiB ÷ batch=4KiB ≥ 1.1',
      'stop: from block 8 on when every interval is within ± 10 %, at the latest after block 20',
      'afterwards: the lab is kept for 2 h, then taken down',
    ])
      expect(text).toContain(line);
  });

  it('shows when it runs by itself, and that the order is drawn anew', () => {
    const schedule = { cron: '30 2 * * *', zone: 'Europe/Berlin', jitter: '5m' };
    const text = planText(planOf({ schedule, design: { seed: 'run' } }));
    expect(text).toContain('schedule: 30 2 * * *, Europe/Berlin, overlap skip, up to 5 min later');
    expect(text).toContain('seed: drawn anew at each run; the order below is an example');
  });

  it('shows a search and its grid', () => {
    const text = planText(
      planOf({
        factors: {},
        producers: { p: { for: '30s' } },
        search: {
          set: 'producers.p.rate',
          from: '20k/s',
          to: '300k/s',
          pass: { achieved: { min: '99.5%' }, p99: { max: '50ms' } },
        },
      }),
    );
    expect(text).toContain(
      'search: the highest rate of p from 20,000 records/s to 300,000 records/s, to 3 %',
    );
    expect(text).toContain('search passes: achieved ≥ 99.5 % and p99 ≤ 50 ms');
    expect(text).toContain('search grid of baseline: baseline.at-2, ');
    expect(text).toContain('baseline.at+1: the rate found for baseline × 1.03');
    expect(text).toContain('for 30 s at the rate searched');
    expect(text).not.toContain('margin');
    expect(text).not.toMatch(/precision|vary by/);
  });

  it('expects nothing of a rate that is asked for, nor where nothing is compared', () => {
    const limited = { producers: { p: { for: '30s', rate: '5k/s' } } };
    for (const metric of ['rate', 'byteRate', 'produceRate', 'achieved']) {
      const text = planText(planOf({ ...limited, metric }));
      expect(text).toContain(
        `precision: none to expect, ${metric} can only say whether the asked rate was kept`,
      );
      expect(text).not.toMatch(/vary by|intervals of/);
    }
    expect(planText(planOf({ ...limited, metric: 'p99', only: ['baseline'] }))).toMatch(
      /precision: none, nothing is compared\n\n/,
    );
    expect(planText(planOf({ design: { blocks: 1 } }))).toContain(
      'precision: none, one block gives no interval',
    );
    expect(planText(planOf({ design: { blocks: 1 } }))).toContain('stop: after 1 block\n');
  });

  it('says of whole milliseconds where their step decides, and not the interval', () => {
    const limited = { producers: { p: { for: '30s', rate: '5k/s' } } };
    const text = planText(planOf({ ...limited, metric: 'p99' }));
    expect(text).toContain('intervals of ± 5.4 %, effects from 6.9 % are seen');
    expect(text).toContain(
      'the tool gives whole ms: where p99 is below 19 ms, one step is more than ± 5.4 %, and decides instead',
    );
    expect(planText(planOf())).not.toContain('whole ms');
  });

  it('says of a warm-up at a fixed rate that only the rate is looked at', () => {
    const limited = { producers: { p: { for: '30s', rate: '5k/s' } } };
    const line = 'every rate is asked for, so two passes agree as soon as the lab keeps it';
    expect(planText(planOf({ ...limited, metric: 'p99' }))).toContain(line);
    expect(planText(planOf())).not.toContain(line);
  });

  it('says how producers batch and compress, and what of it is a default that nobody wrote', () => {
    const lines = (changes: Readonly<Record<string, unknown>>) =>
      planText(planOf(changes))
        .split('\n\n')[3]
        ?.split('\n')
        .map((line) => line.trim());
    expect(lines({})).toEqual([
      'Producers (a | b: by scenario)',
      'p: acks=all (default of Kafka 4.3.1)',
      'p: batch.size=4096 (4.0 KiB) | 65536 (64 KiB)',
      'p: compression.type=none (default of Kafka 4.3.1)',
      'p: linger.ms=5 (default of Kafka 4.3.1)',
    ]);
    const codec = {
      factors: { codec: { set: 'producers.p.config.compression.type', levels: ['none', 'lz4'] } },
    };
    expect(
      lines({ ...codec, producers: { p: { for: '30s', processes: 2, config: { 'linger.ms': 20 } } } }),
    ).toEqual([
      'Producers (a | b: by scenario)',
      'p: acks=all (default of Kafka 4.3.1)',
      'p: batch.size=16384 (16 KiB, default of Kafka 4.3.1)',
      'p: compression.type=none | lz4',
      'p: linger.ms=20',
    ]);
  });

  it('has no section of producers where none writes', () => {
    const readers = { topics: { main: { fill: { records: '3M' } } }, producers: {}, consumers: { c: {} } };
    const factors = { parts: { set: 'topics.main.partitions', levels: [1, 6] } };
    expect(planText(planOf({ ...readers, factors }))).not.toContain('Producers');
  });

  it('writes bounds of expectations one after the other', () => {
    const expected = (bounds: object) =>
      planOf({ expect: [{ of: '64KiB', versus: 'baseline', ...bounds }] }).expectations[0]?.text;
    const ratio = 'rate of batch=64KiB ÷ batch=4KiB';
    expect(expected({ max: 1 })).toBe(`${ratio} ≤ 1`);
    expect(expected({ min: 1 })).toBe(`${ratio} ≥ 1`);
    expect(expected({ min: 0.9, max: 1.1 })).toBe(`${ratio} ≥ 0.9 and ≤ 1.1`);
  });

  it('of a rehearsal says so at once, and of overrides what they were', () => {
    const lines = planText(planOf({ smoke: true, overrides: ['design.blocks = 3'] })).split('\n');
    expect(lines.slice(1, 3)).toEqual([
      'REHEARSAL AT A TINY SCALE, NOT A MEASUREMENT',
      'changed on the command line: design.blocks = 3',
    ]);
  });

  it('says that each run of `seed: run` has a plan of its own', () => {
    expect(planText(planOf({ design: { seed: 'run' } }))).toContain(
      'each experiment draws a plan of its own',
    );
  });

  it('has a short form for the start of an experiment', () => {
    expect(planSummary(planOf()).slice(0, 4)).toEqual([
      'Does it matter?',
      '2 scenarios in 6 blocks after a warm-up of at most 3 passes.',
      expect.stringMatching(/^Time: \d+ min.* to /) as string,
      expect.stringMatching(/^Written to disk: .* to /) as string,
    ]);
  });
});
