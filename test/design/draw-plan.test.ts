import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/design/canonical-json.ts';
import { planSha256 } from '../../src/design/plan-json.ts';
import { drawPlan } from '../../src/design/draw-plan.ts';
import type { Plan } from '../../src/design/plan.ts';
import { readSpec } from '../../src/spec/read-yaml.ts';
import { smallSpec } from '../spec/small-spec.ts';

function planOf(spec: unknown, experimentKey = 'key-1'): Plan {
  const drawn = drawPlan(spec, { experimentKey });
  if (!drawn.ok) throw new Error(drawn.issues.map((i) => i.message).join('\n'));
  return drawn.plan;
}
function example(name: string): unknown {
  const read = readSpec(readFileSync(new URL(`../../examples/${name}.yaml`, import.meta.url), 'utf8'), name);
  if (!read.ok) throw new Error(`${name} is broken`);
  return read.json;
}
const codes = (plan: Plan) => plan.advice.map((a) => a.code);
const withDesign = (name: string, design: object) => ({ ...(example(name) as object), design });

describe('a plan', () => {
  it('is the same, bit for bit, for the same spec; only seed: run looks at the experiment', () => {
    const spec = example('five-partition-counts');
    expect(planSha256(planOf(spec, 'a'))).toBe(planSha256(planOf(structuredClone(spec), 'b')));
    const run = withDesign('five-partition-counts', { seed: 'run' });
    expect(planOf(run, 'a').seed).toBe('a');
    expect(planOf(run, 'a').orders).not.toEqual(planOf(run, 'b').orders);
  });

  it('of five scenarios has the same order for one seed, another for another', () => {
    const orders = (seed: number) => planOf(withDesign('five-partition-counts', { seed })).orders;
    expect(orders(7)).toEqual(orders(7));
    expect(orders(7)).not.toEqual(orders(8));
    expect(orders(7)).toHaveLength(8);
  });

  it('draws from the hash of the resolved spec when the seed is auto: a written default changes nothing', () => {
    const plain = planOf(smallSpec());
    expect(planOf(smallSpec({ teardown: 'always', topics: { main: { partitions: 6 } } })).specSha256).toBe(
      plain.specSha256,
    );
    expect(plain.seed).toBe(plain.specSha256);
    expect(planOf(smallSpec({ question: 'Other?' })).seed).not.toBe(plain.seed);
  });

  it('survives the store: JSON gives back the very same plan', () => {
    const plan = planOf(example('acks-by-replication'));
    expect(JSON.parse(canonicalJson(plan))).toEqual(plan);
  });

  it('of the first look compares 64 KiB with 4 KiB within its bytes and its time', () => {
    const plan = planOf(example('first-look'));
    expect(plan.scenarios.map((s) => s.slug)).toEqual(['batch=4KiB', 'batch=64KiB']);
    expect(plan.contrasts).toMatchObject([
      {
        numerator: 'batch=64KiB',
        denominator: 'batch=4KiB',
        confounded: false,
        changes: { 'producers.p.config.batch.size': ['4096', '65536'] },
      },
    ]);
    expect(plan.orders).toHaveLength(6);
    expect(plan.scenarios[1]?.loads).toMatchObject([
      {
        name: 'p',
        on: 'c1',
        count: { kind: 'duration', durationMs: 20_000 },
        recordsPerS: null,
        config: { acks: 'all', 'batch.size': '65536' },
      },
    ]);
    expect(plan.payloads).toMatchObject([{ recordBytes: 256, padding: 0 }]);
    expect(plan.settle).toMatchObject({ method: 'sync', quietMs: 1_000, drainMs: 2_000 });
    expect(plan.window.minMs).toBe(12_000);
    expect(plan.estimates.writtenBytesLimit).toBe(40 * 1024 ** 3);
    expect(plan.estimates.writtenBytes.high).toBeLessThanOrEqual(40 * 1024 ** 3);
    expect(plan.estimates.durationMs.low).toBeLessThan(15 * 60_000);
    expect(codes(plan)).toEqual(['margin-out-of-reach', 'implied-count']);
  });

  it('fails with the issues of a bad spec', () => {
    expect(drawPlan({ name: 'x' }, { experimentKey: 'k' })).toMatchObject({
      ok: false,
      issues: [{ code: 'missing' }, { code: 'missing' }],
    });
  });

  it.each([
    [
      'brokers of its own in a cluster of somebody',
      { target: 'existing', bootstrap: ['b:9092'], brokers: { count: 3 } },
      'lab.brokers.count',
    ],
    ['clients on nodes of their own', { clients: { count: 2, apart: 'node' } }, 'lab.clients.apart'],
    ['a part of another lab', { kubernetes: { storageClass: 'gp3' } }, 'lab.kubernetes'],
    ['a cluster of somebody', { bootstrap: ['b:9092'] }, 'lab.bootstrap'],
  ])('is refused for what its lab cannot do: %s', (_, lab, path) => {
    const drawn = drawPlan(smallSpec({ lab }), { experimentKey: 'k' });
    expect(drawn.ok ? [] : drawn.issues.map((i) => i.path.join('.'))).toEqual([path]);
  });

  it('takes a bucket or a folder for the results, not both', () => {
    const drawn = (store: object) => drawPlan(smallSpec({ store }), { experimentKey: 'k' });
    expect(drawn({ s3: 's3://results/team' }).ok).toBe(true);
    expect(drawn({ s3: 's3://results/team', folder: '/results' })).toMatchObject({
      ok: false,
      issues: [{ code: 'contradiction', path: ['store', 's3'] }],
    });
  });

  it('refuses counts that write more than the budget in any case', () => {
    const spec = smallSpec({ producers: { p: { records: '10M' } }, design: { budget: { written: '1GiB' } } });
    expect(drawPlan(spec, { experimentKey: 'k' })).toMatchObject({
      ok: false,
      issues: [{ path: ['design', 'budget', 'written'] }],
    });
  });
});

describe('scenarios', () => {
  const two = {
    acks: { set: 'producers.*.config.acks', levels: ['all', 1, 0] },
    parts: { levels: { p1: { 'topics.main.partitions': 1 }, p12: { 'topics.main.partitions': 12 } } },
  };
  const slugs = (scenarios?: unknown) =>
    planOf(smallSpec({ factors: two, ...(scenarios === undefined ? {} : { scenarios }) })).scenarios.map(
      (s) => s.slug,
    );

  it('vary every factor alone by default', () => {
    expect(slugs()).toEqual([
      'acks=all,parts=p1',
      'acks=1,parts=p1',
      'acks=0,parts=p1',
      'acks=all,parts=p12',
    ]);
  });

  it('are crossed with exceptions', () => {
    expect(slugs([{ cross: ['acks', 'parts'], except: [{ acks: 1, parts: 'p12' }, { acks: 0 }] }])).toEqual([
      'acks=all,parts=p1',
      'acks=all,parts=p12',
      'acks=1,parts=p1',
    ]);
  });

  it('are a union in which duplicates collapse, and names stay', () => {
    expect(
      slugs([
        { vary: ['acks'] },
        { name: 'odd', acks: 1, parts: 'p12' },
        { acks: 1 },
        { name: 'fast', acks: 0 },
      ]),
    ).toEqual(['acks=all,parts=p1', 'acks=1,parts=p1', 'fast', 'odd']);
  });

  it('apply their levels, wildcards and Kafka names with dots included', () => {
    const plan = planOf(
      smallSpec({
        producers: { p: { for: '30s' }, q: { for: '30s' } },
        factors: two,
        scenarios: [{ acks: 1, parts: 'p12' }, { acks: 'all' }],
      }),
    );
    expect(plan.scenarios[0]?.loads.map((l) => l.config['acks'])).toEqual(['1', '1']);
    expect(plan.scenarios[0]?.topics[0]?.partitions).toBe(12);
    expect(plan.scenarios[1]?.topics[0]?.partitions).toBe(1);
  });

  it('get distinct slugs from levels that differ only in what a slug cannot hold', () => {
    const levels = ['a b', 'a/b', 'x'.repeat(100), `${'x'.repeat(100)}y`];
    const plan = planOf(
      smallSpec({
        factors: { rack: { set: 'producers.p.config.client.rack', levels } },
        allowUnknown: ['client.rack'],
      }),
    );
    const found = plan.scenarios.map((s) => s.slug);
    expect(new Set(found).size).toBe(4);
    expect(found[0]).toMatch(/^rack=a-b-[0-9a-f]{8}$/);
  });

  it('get safe, bounded, distinct slugs from any level', () => {
    const values = fc.uniqueArray(
      fc.string({ minLength: 1, maxLength: 60 }).filter((s) => !/\$\{|\p{Cc}|jndi|rmi:|ldap|iiop/iu.test(s)),
      { minLength: 2, maxLength: 5 },
    );
    fc.assert(
      fc.property(values, (levels) => {
        const plan = planOf(
          smallSpec({
            factors: { rack: { set: 'producers.p.config.client.rack', levels } },
            producers: { p: { for: '30s' } },
            allowUnknown: ['client.rack'],
          }),
        );
        const found = plan.scenarios.map((s) => s.slug);
        expect(new Set(found).size).toBe(levels.length);
        for (const slug of found) expect(slug).toMatch(/^[A-Za-z0-9=,._+-]{1,80}$/);
      }),
      { numRuns: 50 },
    );
  });
});

describe('loads', () => {
  it('share records, rate and hosts over their processes; side by side they read differently ordered files', () => {
    const plan = planOf(
      smallSpec({
        lab: { clients: { count: 2 } },
        producers: { p: { records: 1_000_001, rate: '20k/s', processes: 3 } },
      }),
    );
    const loads = plan.scenarios[0]?.loads.flatMap((l) => (l.kind === 'producer' ? [l] : []));
    expect(loads?.map((l) => [l.name, l.on, l.count, l.recordsPerS])).toEqual([
      ['p-1', 'c1', { kind: 'records', records: 333_334 }, 20_000 / 3],
      ['p-2', 'c2', { kind: 'records', records: 333_334 }, 20_000 / 3],
      ['p-3', 'c1', { kind: 'records', records: 333_333 }, 20_000 / 3],
    ]);
    expect(new Set(loads?.map((l) => l.payload)).size).toBe(3);
    expect(plan.payloads.map((p) => (p.kind === 'file' ? null : (p.variant ?? 0)))).toEqual([0, 1, 2]);
  });

  it('count bytes and limited times at once, unlimited times later', () => {
    const count = (p: object) => planOf(smallSpec({ producers: { p } })).scenarios[0]?.loads[0]?.count;
    expect(count({ bytes: '1GiB' })).toEqual({ kind: 'records', records: Math.ceil(1024 ** 3 / 1008) });
    expect(count({ for: '30s', rate: '20k/s' })).toEqual({ kind: 'records', records: 600_000 });
    expect(count({ for: '30s' })).toEqual({ kind: 'duration', durationMs: 30_000 });
  });

  it('leave out what is not enabled, and topics that nothing uses', () => {
    const plan = planOf(
      smallSpec({
        topics: { main: {}, spare: {} },
        producers: { p: { for: '30s' }, q: { for: '30s', topic: 'spare', enabled: false } },
      }),
    );
    expect(plan.scenarios[0]?.loads.map((l) => l.name)).toEqual(['p']);
    expect(plan.scenarios[0]?.topics.map((t) => t.name)).toEqual(['main']);
    expect(codes(plan)).toContain('unused-topic');
  });
});

describe('contrasts', () => {
  const contrast = (factors: object, more: object = {}) =>
    planOf(smallSpec({ factors, ...more })).contrasts[0];
  const acks = { acks: { set: 'producers.*.config.acks', levels: ['all', 1] } };

  it('name idempotence where acks switches it off', () => {
    expect(contrast(acks)).toMatchObject({
      confounded: true,
      changes: {
        'producers.p.config.acks': ['all', '1'],
        'producers.p.config.enable.idempotence': ['true', 'false'],
      },
      implied: { 'producers.p.config.enable.idempotence': expect.stringContaining('by itself') as string },
    });
  });

  it('do not where it is pinned', () => {
    const pinned = contrast(acks, {
      producers: { p: { for: '30s', config: { 'enable.idempotence': false } } },
    });
    expect(pinned).toMatchObject({ confounded: false });
    expect(Object.keys(pinned?.changes ?? {})).toEqual(['producers.p.config.acks']);
  });

  it('list both settings of a coupled level', () => {
    const rf = {
      rf: {
        levels: {
          rf3: { 'topics.main.replication': 3, 'topics.main.config.min.insync.replicas': 2 },
          rf1: { 'topics.main.replication': 1, 'topics.main.config.min.insync.replicas': 1 },
        },
      },
    };
    expect(contrast(rf)).toMatchObject({
      confounded: true,
      changes: {
        'topics.main.replication': ['3', '1'],
        'topics.main.config.min.insync.replicas': ['2', '1'],
      },
    });
  });

  it('count one setting of several producers once', () => {
    const two = { producers: { p: { for: '30s' }, q: { for: '30s' } } };
    expect(
      contrast({ linger: { set: 'producers.*.config.linger.ms', levels: [0, 100] } }, two),
    ).toMatchObject({ confounded: false });
  });

  it('compare with the baseline by default, with what the spec names otherwise', () => {
    const factors = { parts: { set: 'topics.main.partitions', levels: [1, 6, 12] } };
    const pairs = (more: object) =>
      planOf(smallSpec({ factors, ...more })).contrasts.map((c) => [c.numerator, c.denominator]);
    expect(pairs({})).toEqual([
      ['parts=6', 'parts=1'],
      ['parts=12', 'parts=1'],
    ]);
    expect(
      pairs({
        contrasts: [
          ['12', '6'],
          ['parts=6', 'baseline'],
        ],
      }),
    ).toEqual([
      ['parts=12', 'parts=6'],
      ['parts=6', 'parts=1'],
    ]);
    expect(pairs({ scenarios: [{ parts: 12 }, { parts: 6 }] })).toEqual([['parts=6', 'parts=12']]);
  });
});

describe('canonicalJson', () => {
  it('has one spelling for one value', () => {
    expect(canonicalJson({ b: [1, 'x', null], a: { d: true, c: undefined } })).toBe(
      '{"a":{"d":true},"b":[1,"x",null]}',
    );
    expect(() => canonicalJson({ a: Number.NaN })).toThrow('has no JSON');
  });
});
