import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { limitsOf } from '../../src/analysis/limits.ts';
import { settingLines } from '../../src/cli/plan-settings.ts';
import { drawPlan } from '../../src/design/draw-plan.ts';
import type { Plan } from '../../src/design/plan.ts';
import { smallSpec } from '../spec/small-spec.ts';

type Json = Record<string, unknown>;

const LAB = {
  target: 'existing',
  bootstrap: ['b1.example.com:9093', '[2001:db8::1]:9093'],
  clientProperties: '/etc/kafka/client.properties',
};
const draw = (lab: Json = {}, more: Json = {}) =>
  drawPlan(asJson(smallSpec({ lab: { ...LAB, ...lab }, ...more })), { experimentKey: 'k' });
/** What is undefined is left out. */
const asJson = (spec: Json): unknown => JSON.parse(JSON.stringify(spec));

function planOf(lab: Json = {}, more: Json = {}): Plan {
  const drawn = draw(lab, more);
  if (!drawn.ok) throw new Error(JSON.stringify(drawn.issues));
  return drawn.plan;
}

function refused(lab: Json = {}, more: Json = {}): readonly string[] {
  const drawn = draw(lab, more);
  return drawn.ok ? [] : drawn.issues.map((issue) => issue.path.join('.'));
}

describe('the plan of an existing cluster', () => {
  it('says how it is reached, and has no brokers of ours', () => {
    expect(planOf().lab).toMatchObject({
      target: 'existing',
      brokers: { count: 0 },
      pin: false,
      existing: {
        bootstrapServers: 'b1.example.com:9093,[2001:db8::1]:9093',
        clientProperties: '/etc/kafka/client.properties',
      },
    });
    expect(planOf({ clientProperties: undefined }).lab.existing?.clientProperties).toBeNull();
  });

  it('allows as many copies as the cluster may have brokers, which nobody knows yet', () => {
    expect(refused({}, { topics: { main: { replication: 5 } } })).toEqual([]);
  });

  it('can be drawn of the spec in the docs', () => {
    const page = readFileSync(new URL('../../docs/existing-cluster.md', import.meta.url), 'utf8');
    const spec: unknown = parse(/```yaml\n([^]*?)```/.exec(page)?.[1] ?? '');
    const drawn = drawPlan(spec, { experimentKey: 'k' });
    expect(drawn.ok ? drawn.plan.advice.map(({ code }) => code) : drawn.issues).not.toContain('deadline');
    expect(drawn.ok ? [] : drawn.issues).toEqual([]);
  });

  it('takes the version of the tools', () => {
    expect(planOf({ brokers: { kafka: '4.2.0' } }).lab.brokers.kafka).toBe('4.2.0');
  });

  it('may be rehearsed, though a rehearsal has small brokers of its own', () => {
    expect(planOf({}, { smoke: true }).smoke).toBe(true);
  });

  it.each<[what: string, lab: Json, more: Json, path: string]>([
    ['no broker to start from', { bootstrap: undefined }, {}, 'lab.target'],
    ['a broker without a port', { bootstrap: ['b1.example.com'] }, {}, 'lab.bootstrap.0'],
    ['a port beyond the last', { bootstrap: ['b:9092', 'b:99999'] }, {}, 'lab.bootstrap.1'],
    ['an address with more in it', { bootstrap: ['b:9092,c:9092'] }, {}, 'lab.bootstrap.0'],
    ['a path from nowhere', { clientProperties: 'client.properties' }, {}, 'lab.clientProperties'],
    ['pods as clients', { kubernetes: {} }, {}, 'lab.kubernetes'],
    ['clients apart', { clients: { count: 2, apart: 'node' } }, {}, 'lab.clients.apart'],
    ['cores for brokers', { pin: true }, {}, 'lab.pin'],
    ['a count, even the default one', { brokers: { count: 3 } }, {}, 'lab.brokers.count'],
    ['a heap of brokers', { brokers: { heap: '1GiB' } }, {}, 'lab.brokers.heap'],
    ['a compiler of brokers', { brokers: { jit: 'full' } }, {}, 'lab.brokers.jit'],
    ['settings of brokers', { brokers: { config: { 'num.io.threads': 4 } } }, {}, 'lab.brokers.config'],
    [
      'broker settings as a factor',
      {},
      { factors: { io: { set: 'lab.brokers.config.num.io.threads', levels: [4, 8] } } },
      'factors.io',
    ],
    [
      'a cold page cache',
      {},
      { topics: { main: { fill: { records: 1000, cache: 'cold' } } } },
      'topics.main.fill.cache',
    ],
    [
      'a page cache as a factor',
      {},
      {
        topics: { main: { fill: { records: 1000 } } },
        factors: { cache: { set: 'topics.main.fill.cache', levels: ['asis', 'hot'] } },
      },
      'factors.cache',
    ],
    ['several labs', {}, { design: { labs: 2 } }, 'design.labs'],
    ['a limit of money', {}, { design: { budget: { usd: 5 } } }, 'design.budget.usd'],
    ['a lab that is kept', {}, { teardown: { keep: '1h' } }, 'teardown'],
  ])('refuses %s', (_, lab, more, path) => {
    expect(refused(lab, more)).toEqual([path]);
  });

  it('gives the reason with each refusal', () => {
    const drawn = draw({ brokers: { heap: '1GiB' } }, { design: { labs: 2 } });
    expect(drawn.ok ? [] : drawn.issues.map((issue) => issue.message)).toEqual([
      expect.stringContaining('not provisioned'),
      expect.stringContaining('run already'),
    ]);
  });

  it('says before and after what is not seen', () => {
    const plan = planOf();
    expect(settingLines(plan).join('\n')).toMatch(/not sampled[^]*whether the brokers are quiet is not seen/);
    expect(settingLines(plan).join('\n')).not.toMatch(/heap 512MiB.*C1|brokers: 0/);
    const limits = limitsOf(plan).join('\n');
    expect(limits).toMatch(/not sampled/);
    expect(limits).toMatch(/Settle and drain \(\w+\) watched the machine of the clients alone/);
    expect(limits).toContain('/etc/kafka/client.properties');
    expect(limits).not.toMatch(/share this machine|PLAINTEXT without/);
    expect(limitsOf(planOf({ clientProperties: undefined })).join('\n')).toContain('PLAINTEXT without');
  });
});
