import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { Deviation } from '../../src/design/deviation.ts';
import type { Plan } from '../../src/design/plan.ts';
import { makePlan, pairs } from './make.ts';

const RATIOS = [8.9, 8.6, 9.2, 8.8, 9.1, 8.8];
const AT = { at: '2026-01-01T00:00:00Z', pass: null, position: 1, reason: 'clear enough' } as const;

function run(deviations: readonly Deviation[], over: Partial<Plan> = {}): Analysis {
  return analyse(makePlan(over), 'p', null, null, pairs(RATIOS), deviations);
}

describe('deviations from the plan', () => {
  it('none changes nothing', () => {
    expect(run([])).toEqual(analyse(makePlan(), 'p', null, null, pairs(RATIOS)));
  });

  it('a stop by hand flags every contrast, changes no word, and says how many blocks ran and what that means', () => {
    const orders = Array.from({ length: 9 }, () => ['fast', 'slow']);
    const stopped = run([{ kind: 'finish-early', ...AT, block: 6, blocksPlanned: 9 }], { orders });
    expect(stopped.effects[0]).toMatchObject({ word: 'higher', flags: [{ code: 'unplanned-stop' }] });
    expect(stopped.answer).toMatch(
      /6 of 9 planned blocks ran: ended by hand after block 6 of 9 \(clear enough\)\.$/,
    );
    expect(stopped.limits[0]).toMatch(/who stops or goes on after looking/);
  });

  it('so does an extension, and both together are told in their order', () => {
    const orders = [
      ['fast', 'slow'],
      ['slow', 'fast'],
    ];
    const extended = run([
      { kind: 'extend', ...AT, block: 3, blocksPlanned: 4, orders },
      { kind: 'finish-early', ...AT, block: 6, blocksPlanned: 4 },
    ]);
    expect(extended.effects[0]?.flags).toHaveLength(1);
    expect(extended.answer).toContain(
      '6 of 4 planned blocks ran: extended by hand in block 3, 2 more than planned (clear enough)',
    );
    expect(extended.answer).toContain(', then ended by hand after block 6');
  });

  it('a skipped trial flags the contrasts of its scenario only, and is named', () => {
    const skip: Deviation = { kind: 'skip', ...AT, block: 2, scenario: 'fast', attempt: 1 };
    expect(run([skip]).effects[0]?.flags).toMatchObject([
      { code: 'unplanned-skip', message: 'skipped by hand: block 2 fast (clear enough)' },
    ]);
    expect(run([skip]).answer).toMatch(/1 trial was skipped by hand \(fast\)\.$/);
    expect(run([skip, { ...skip, block: 3 }]).answer).toContain('2 trials were skipped by hand (fast)');
    const other = run([{ ...skip, scenario: 'another' }]);
    expect(other.effects[0]?.flags).toEqual([]);
    expect(other.limits[0]).toContain('block 2 another');
  });

  it('a pause counts only when it lies within a measured block', () => {
    const pause = { kind: 'pause', ...AT, lastedMs: 60_000, endedBy: 'resume' } as const;
    const limits = (d: Deviation) => run([d]).limits.filter((l) => l.includes('pause within'));
    expect(limits({ ...pause, block: 2, position: 1 })).toEqual([]);
    expect(limits({ ...pause, block: 0, pass: 2, position: 2 })).toEqual([]);
    expect(limits({ ...pause, block: 2, position: 2 })).toHaveLength(1);
  });

  it('without contrasts the flags stand on the experiment', () => {
    const alone = run([{ kind: 'finish-early', ...AT, block: 6, blocksPlanned: 9 }], { contrasts: [] });
    expect(alone.flags.map((f) => f.code)).toContain('unplanned-stop');
  });
});
