import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { drawPlan } from '../../src/design/draw-plan.ts';
import type { Plan } from '../../src/design/plan.ts';
import { readSpec } from '../../src/spec/read-yaml.ts';

const FOLDER = new URL('../../examples/', import.meta.url);
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
/** What a spec may be told and still be an example: how counts come about, a pair that belongs together, a scenario that is only shown, what six blocks cannot show. */
const FINE = [
  'implied-count',
  'confounded',
  'not-compared',
  'margin-out-of-reach',
  'whole-ms',
  'fill-read-too-soon',
];

const textOf = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

function planOf(name: string, more: object = {}): Plan {
  const read = readSpec(textOf(name), name);
  if (!read.ok) throw new Error(read.issues.map((i) => i.message).join('\n'));
  const drawn = drawPlan({ ...read.json, ...more }, { experimentKey: 'key-1' });
  if (!drawn.ok) throw new Error(drawn.issues.map((i) => i.message).join('\n'));
  return drawn.plan;
}

describe('examples', () => {
  it('answer the questions of the reference report', () => {
    expect(NAMES.map((name) => name.replace('.yaml', ''))).toEqual(
      expect.arrayContaining([
        'acks-by-replication',
        'batch-and-linger',
        'broker-threads',
        'capacity',
        'codec',
        'first-look',
        'five-partition-counts',
        'fixed-rate-latency',
        'nightly',
        'replay-beside-produce',
        'two-producers',
      ]),
    );
  });

  it.each(NAMES)(
    '%s plans on a local lab, is told nothing that it should mend, and fits a laptop',
    (name) => {
      const plan = planOf(name);
      expect(plan.name).toBe(name.replace('.yaml', ''));
      expect(plan.advice.filter(({ code }) => !FINE.includes(code))).toEqual([]);
      expect(plan.estimates.peakDiskBytes).toBeLessThan(20 * 1024 ** 3);
      expect(plan.lab.brokers.count * plan.lab.brokers.heapBytes).toBeLessThanOrEqual(1.5 * 1024 ** 3);
    },
  );

  it.each(NAMES)('%s says how long it takes, as its plan does', (name) => {
    const minutes = Number(/about (\d+) minutes/i.exec(textOf(name))?.[1]);
    const { low, high } = planOf(name).estimates.durationMs;
    expect(minutes * 60_000).toBeGreaterThan(low);
    expect(minutes * 60_000).toBeLessThan(high);
  });

  it.each(NAMES)('%s can be rehearsed', (name) => {
    const plan = planOf(name, { smoke: true });
    expect(plan).toMatchObject({ smoke: true, advice: [{ code: 'smoke' }] });
    expect(plan.estimates.durationMs.low).toBeLessThan(5 * 60_000);
  });
});

describe('an example by its question', () => {
  it('replay beside produce compares the producer with and without the replay', () => {
    const plan = planOf('replay-beside-produce.yaml');
    expect(plan.contrasts).toMatchObject([
      { numerator: 'traffic=e4', denominator: 'traffic=e0', confounded: false },
    ]);
    expect(plan.contrasts[0]).not.toHaveProperty('incomparable');
    expect(plan.scenarios.map((s) => s.loads.map((l) => l.name))).toEqual([
      ['p'],
      ['replay'],
      ['p', 'replay'],
    ]);
  });

  it('two producers share one total', () => {
    const [one, two] = planOf('two-producers.yaml').scenarios;
    const counts = (s: typeof one) => s?.loads.map((l) => l.count);
    expect(counts(one)).toEqual([{ kind: 'records', records: 1_000_000 }]);
    expect(counts(two)).toEqual([1, 2].map(() => ({ kind: 'records', records: 500_000 })));
    expect(two?.loads.map((l) => l.on)).toEqual(['c1', 'c2']);
  });

  it('broker threads are a split plot; capacity has a grid; nightly draws anew', () => {
    expect(Object.keys(planOf('broker-threads.yaml').plots)).toHaveLength(3);
    expect(planOf('capacity.yaml').scenarios).toHaveLength(5);
    expect(planOf('nightly.yaml')).toMatchObject({ seed: 'key-1', expectations: [{}, {}] });
  });
});
