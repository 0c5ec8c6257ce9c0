import { describe, expect, test } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { freeze } from '../../src/analysis/freeze.ts';
import { stillRising } from '../../src/analysis/rising.ts';
import type { Plan } from '../../src/design/plan.ts';
import type { TrialRecord } from '../../src/measure/trial-record.ts';
import {
  makeContrast,
  makePlan,
  makeRecord,
  makeScenario,
  makeTrial,
  pairs,
  steady,
  voided,
} from './make.ts';

const RATIOS = [8.9, 8.6, 9.2, 8.8, 9.1, 8.8];

function run(trials: readonly TrialRecord[], over: Partial<Plan> = {}): Analysis {
  return analyse(makePlan(over), 'p', null, null, trials);
}

describe('the answer', () => {
  test('a clear effect', () => {
    expect(run(pairs(RATIOS)).answer).toBe(
      'fast is 8.9 times as fast as slow (95 % interval 8.7 to 9.1, 6 blocks, higher in 6 of 6).',
    );
  });

  test('a slower scenario is told as a share of the rate', () => {
    const { answer } = run(pairs([0.8, 0.82, 0.78, 0.81, 0.79, 0.8]));
    expect(answer).toBe(
      'fast reaches 80 % of the rate of slow (95 % interval 79 % to 81 %, 6 blocks, lower in 6 of 6).',
    );
  });

  test('no difference names the margin', () => {
    const { answer } = run(pairs([1.01, 0.99, 1.0, 1.005, 0.995, 1.002]));
    expect(answer).toContain(
      'fast and slow differ by no more than 5 %: fast ÷ slow = 1.00 (95 % interval 0.99 to 1.01',
    );
  });

  test('inconclusive says why', () => {
    expect(run(pairs([1.3, 0.8, 1.2, 0.9, 1.1, 0.85])).answer).toContain('is inconclusive: the interval');
  });

  test('a confound is named and no cause is claimed', () => {
    const contrast = {
      ...makeContrast('fast', 'slow'),
      confounded: true,
      changes: { 'producers.p.config.acks': ['1', 'all'], 'topics.main.replication': ['1', '3'] } as const,
    };
    expect(run(pairs(RATIOS), { contrasts: [contrast] }).answer).toContain(
      'More than one thing changed (producers.p.config.acks 1 → all, topics.main.replication 1 → 3): the difference cannot be put down to any one of them.',
    );
  });

  test('more than three contrasts are left to the table', () => {
    const contrasts = ['a', 'b', 'c', 'd', 'e'].map((s) => makeContrast(s, 'slow'));
    expect(run([], { contrasts }).answer).toContain('2 more contrasts stand in the table.');
  });
});

describe('decided', () => {
  test('a complete experiment is decided, also when its answer is inconclusive', () => {
    expect(run(pairs(RATIOS)).decided).toBe(true);
    expect(run(pairs([1.3, 0.8, 1.2, 0.9, 1.1, 0.85])).decided).toBe(true);
  });

  test('too few valid blocks are not', () => {
    const cut = run(pairs(RATIOS.slice(0, 4)));
    expect(cut.decided).toBe(false);
    expect(cut.answer).toContain('fast against slow cannot be decided: 4 blocks have both trials valid');
    expect(cut).toMatchObject({ blocksPlanned: 6, blocksRun: 4 });
    expect(run([]).decided).toBe(false);
  });
});

test('scenarios: valid and voided attempts, rates and reasons', () => {
  const trials = [...pairs([2, 3, 4]), voided(2, 'fast', 'isr-shrunk'), voided(2, 'fast', 'isr-shrunk', 2)];
  const [fast, slow] = run(trials).scenarios;
  expect(fast).toMatchObject({
    scenario: 'fast',
    valid: 3,
    voided: 2,
    medianRecordsPerS: 300,
    medianBytesPerS: 300_000,
    minRecordsPerS: 200,
    maxRecordsPerS: 400,
    reasons: { 'isr-shrunk': 2 },
  });
  expect(fast?.cv).toBeCloseTo(1 / 3, 12);
  expect(slow).toMatchObject({ valid: 3, voided: 0, cv: 0, reasons: {} });
});

describe('limits', () => {
  const text = (over: Partial<Plan> = {}): string => run([], over).limits.join('\n');

  test('say what was held fixed', () => {
    for (const words of [
      'one replicate',
      'share this machine',
      'without keys',
      'PLAINTEXT',
      'one topic',
      'acks=all',
    ]) {
      expect(text()).toContain(words);
    }
  });

  test('leave out what was varied', () => {
    const one = makeScenario('one', { config: { acks: '1' } });
    const topics = [{ name: 'main', partitions: 12, replication: 1, config: {}, fill: null }];
    const varied = text({ scenarios: [makeScenario('all'), { ...one, topics }] });
    expect(varied).not.toContain('acks=');
    expect(varied).not.toContain('partitions');
    expect(varied).not.toContain('replication 3');
  });

  test('sync, C1 and rate limits are owned up to', () => {
    const base = makePlan();
    expect(text({ settle: { ...base.settle, method: 'wait' } })).not.toContain('sync');
    expect(text()).toContain('sync');
    expect(text({ lab: { ...base.lab, brokers: { ...base.lab.brokers, jit: 'c1' } } })).toContain(
      'C1 compiler',
    );
    expect(text({ scenarios: [makeScenario('a', { recordsPerS: 100 })] })).toContain('asked rate');
  });
});

describe('flags', () => {
  test('a lab that was still warming', () => {
    const plan = makePlan();
    const frozen = freeze(plan, 'p', [makeTrial(0, 'fast', 100, { pass: 1 })]);
    expect(analyse(plan, 'p', frozen, 'f', pairs(RATIOS)).flags[0]).toMatchObject({ code: 'still-warming' });
  });

  test('flags of trials are counted by scenario; those of voided trials and of block 0 are not', () => {
    const flagged = (block: number, scenario: string, valid = true) =>
      makeTrial(block, scenario, 100, {
        verdict: { valid, reasons: [], flags: [{ code: 'client-bound', message: 'the client was busy' }] },
      });
    const trials = [
      flagged(1, 'fast'),
      flagged(2, 'fast'),
      flagged(1, 'slow'),
      flagged(2, 'slow', false),
      flagged(0, 'slow'),
    ];
    const bound = run(trials).flags.find((f) => f.code === 'client-bound');
    expect(bound?.message).toBe('in 3 of 3 valid trials (fast 2, slow 1), e.g. the client was busy');
  });

  const windowed = (block: number, rise: number): TrialRecord => {
    const rates = Array.from(
      { length: 20 },
      (_, i) => 1000 * (1 + (rise * (i - 10)) / 20 + 0.004 * Math.sin(i * 5 + block)),
    );
    const load = makeRecord(rates, { steady: steady(1000, { fromMs: 0, toMs: 20_000 }) });
    return makeTrial(block, 'fast', 1000, { loads: [load] });
  };

  test('rates that still rise inside the window are flagged, level and falling ones are not', () => {
    const blocks = [1, 2, 3, 4, 5, 6];
    expect(stillRising(blocks.map((b) => windowed(b, 0.1)))).toMatchObject({ code: 'still-rising' });
    expect(stillRising(blocks.map((b) => windowed(b, 0.1)))?.message).toContain('rise by 10 %');
    expect(stillRising(blocks.map((b) => windowed(b, 0)))).toBeNull();
    expect(stillRising(blocks.map((b) => windowed(b, -0.1)))).toBeNull();
    expect(stillRising(blocks.map((b) => windowed(b, b % 2 === 0 ? 0.1 : -0.04)))).toBeNull();
  });
});

test('the analysis is plain JSON and the same again', () => {
  const analysis = run(pairs(RATIOS));
  expect(JSON.parse(JSON.stringify(analysis))).toEqual(analysis);
  expect(run(pairs(RATIOS).toReversed())).toEqual(analysis);
});
