import { expect, it } from 'vitest';
import { findingOf } from '../../bench/whole-run.ts';

const spent = (loadMs: number, more: Record<string, number>) => ({
  phasesMs: { load: loadMs, ...more },
  beforeMs: 15_000,
  trials: 10,
  restMs: 2_000,
});

it('tells the ratio, whether it is what was promised, and where the time went', () => {
  const pair = (assayMs: number, scriptMs: number) => ({
    first: { wallMs: assayMs, spent: spent(6_000, { collect: 500 }) },
    second: { wallMs: scriptMs, spent: spent(6_200, {}) },
  });
  const good = findingOf([pair(90_000, 100_000), pair(81_000, 100_000)]);
  expect(good.targets).toEqual([{ text: 'Assay ÷ script at most 1.0 (point): 0.854', met: true }]);
  expect(good.markdown).toContain('| Assay | 85.5 (81.0 to 90.0) |');
  expect(good.markdown).toContain('| load, each trial | 6.00 | 6.20 |');
  // The script has no such phase.
  expect(good.markdown).toContain('| collect, each trial | 0.50 | – |');
  expect(findingOf([pair(100_000, 90_000), pair(100_000, 95_000)]).targets[0]?.met).toBe(false);
});
