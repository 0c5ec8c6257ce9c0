import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spentByAssay, spentByScript } from '../../bench/phases.ts';

it('reads what the script says of its time', () => {
  const said = [
    '- start 5000',
    'warm1 load 9000',
    't2 prepare 100',
    't2 load 6000',
    't3 prepare 300',
    't3 load 6200',
    '- end 700',
  ];
  expect(spentByScript(`${said.join('\n')}\n`, 28_000)).toEqual({
    phasesMs: { prepare: 200, load: 6100 },
    beforeMs: 5000,
    trials: 2,
    // 700 of the end, and 700 that the script did not see
    restMs: 1400,
  });
});

it('reads where the time of a trial went from its exported history', () => {
  const stored = new URL('../replay/histories/trial-valid.json', import.meta.url).pathname;
  const results = mkdtempSync(join(tmpdir(), 'assay-phases-'));
  try {
    for (const block of ['b0.p1', 'b1']) {
      mkdirSync(join(results, 'histories', block), { recursive: true });
      copyFileSync(stored, join(results, 'histories', block, 'batch=4KiB.a1.json'));
    }
    const spent = spentByAssay(results, 0, 1e15);
    expect(spent.trials).toBe(1);
    expect(Object.keys(spent.phasesMs)).toEqual([
      'prepare',
      'settle',
      'load',
      'drain',
      'verify',
      'collect',
      'release',
      'between phases',
    ]);
    for (const ms of Object.values(spent.phasesMs)) expect(ms).toBeGreaterThanOrEqual(0);
    expect(spent.phasesMs['load']).toBeGreaterThan(1000);
    // The time before, two equal trials, and the rest are all there is.
    const all = Object.values(spent.phasesMs).reduce((sum, ms) => sum + ms, 0);
    expect(spent.beforeMs + 2 * all + spent.restMs).toBeCloseTo(1e15, -1);
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
});
