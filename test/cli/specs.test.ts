import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadSpec } from '../../src/cli/load-spec.ts';
import { drawPlan } from '../../src/design/draw-plan.ts';

const FOLDER = join(import.meta.dirname, '..', 'specs');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
const home = mkdtempSync(join(tmpdir(), 'assay-specs-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A local lab is one machine, so these are for another one; a rehearsal may run them. */
const APART = ['codec.yaml', 'two-clients.yaml'];

const plan = (file: string, smoke: boolean) => {
  const options = { set: [], only: [], ...(smoke ? { smoke: true as const } : {}) };
  const { json } = loadSpec(join(FOLDER, file), { options, keepIn: { ASSAY_HOME: home } });
  return drawPlan(json, { experimentKey: 'k' });
};

describe.each(FILES)('test/specs/%s', (file) => {
  it('is valid, and is planned as a rehearsal of one block for each lab', () => {
    const drawn = plan(file, true);
    if (!drawn.ok) throw new Error(drawn.issues.map((i) => i.message).join('\n'));
    expect(drawn.plan).toMatchObject({ smoke: true, overrides: ['--smoke'], retries: 0 });
    expect(drawn.plan.orders).toHaveLength(drawn.plan.labs);
    expect(drawn.plan.scenarios.length).toBeGreaterThan(0);
  });

  it('is planned as it is written, or refused for what a local lab cannot do', () => {
    const drawn = plan(file, false);
    const refused = drawn.ok ? [] : drawn.issues.map((i) => i.path.join('.'));
    expect(refused).toEqual(APART.includes(file) ? ['lab.clients.apart'] : []);
  });
});

describe('the sheets of the peers', () => {
  const scenarios = (file: string) => {
    const drawn = plan(file, false);
    return drawn.ok ? drawn.plan.scenarios : [];
  };

  it('unite matrices and single points', () => {
    const slugs = scenarios('unions.yaml').map((s) => s.slug);
    // 3 × 3 − 1, of 3 × 3 − 1 those five that are new, one point, and a name for a point that is there already.
    expect(slugs).toHaveLength(8 + 5 + 1);
    expect(slugs).toContain('worst');
    expect(slugs).not.toContain('acks=0,codec=zstd,parts=6');
  });

  it('leave a factor out where its condition is not met', () => {
    expect(scenarios('conditional.yaml').map((s) => s.slug)).toEqual([
      'codec=none',
      'codec=lz4',
      'codec=zstd,level=3',
      'codec=zstd,level=1',
      'codec=zstd,level=9',
    ]);
  });

  it('zip factors', () => {
    const rows = scenarios('zip.yaml').map((s) => [s.loads.length, s.topics[0]?.partitions]);
    expect(rows).toEqual([
      [2, 1],
      [4, 2],
      [8, 4],
    ]);
  });

  it('have levels that are groups × size, none included', () => {
    const consumers = scenarios('object-levels.yaml').map((s) =>
      s.loads.filter((l) => l.kind === 'consumer'),
    );
    expect(consumers.map((loads) => loads.length)).toEqual([0, 1, 6]);
    expect(new Set(consumers[2]?.map((load) => load.group)).size).toBe(2);
  });

  it('derive counts from rate × time and from bytes', () => {
    const counts = scenarios('derived-counts.yaml').map((s) => s.loads[0]?.count);
    expect(counts).toEqual([
      { kind: 'records', records: 1_200_000 },
      { kind: 'records', records: Math.ceil(2 ** 31 / 1000) },
      { kind: 'records', records: 1_200_000 },
      { kind: 'records', records: Math.ceil(2 ** 31 / 200) },
    ]);
  });

  it('share one rate among all producers', () => {
    const totals = scenarios('total-rate.yaml').map((s) =>
      s.loads.reduce((sum, load) => sum + (load.kind === 'producer' ? (load.recordsPerS ?? 0) : 0), 0),
    );
    for (const total of totals) expect(total).toBeCloseTo((20 * 1024 ** 2) / 1008, 6);
  });

  it('fill a backlog and drain it', () => {
    const [first] = scenarios('backlog.yaml');
    expect(first?.topics[0]?.fill).toMatchObject({ records: 5_000_000, each: 'attempt', cache: 'cold' });
    expect(first?.loads).toMatchObject([{ kind: 'consumer', count: { kind: 'topic', share: 1 } }]);
  });

  it('end a series early, and use up credits before anything is measured', () => {
    const series = plan('early-stop.yaml', false);
    expect(series.ok && series.plan.series).toMatchObject([{ factor: 'rate', achievedMin: 0.995 }]);
    const depletion = plan('depletion.yaml', false);
    expect(depletion.ok && depletion.plan.deplete).toMatchObject({
      upperBytesPerS: 74 * 1024 ** 2,
      lowerBytesPerS: 58 * 1024 ** 2,
    });
  });
});
