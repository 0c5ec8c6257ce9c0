import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pricesOf, recordPrices } from '../../activities/prices.ts';
import { AwsError } from '../../src/aws/errors.ts';
import type { PricesRecord, PriceTable } from '../../src/design/cost.ts';
import type { LabFacts } from '../../src/lab/lab.ts';
import { loadJson } from '../../src/store/experiment-files.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { labPlanOf } from '../lab/kubernetes/objects/support.ts';
import { BEAT, benchOf } from './bench-support.ts';

const asked: unknown[] = [];
let answer: () => Promise<PriceTable>;
// The list itself is proven in test/aws/prices.test.ts.
vi.mock('../../src/aws/prices.ts', () => ({
  lookUpPrices: async (priced: unknown) => {
    asked.push(priced);
    return answer();
  },
}));

const TABLE: PriceTable = {
  date: '2026-11-30',
  usdPerHourByInstanceType: { 'm5.xlarge': 0.236 },
  usdPerGbMonthByVolumeType: { gp3: 0.0912 },
  usdPerIopsMonth: null,
  usdPerMiBpsMonth: null,
};
const facts = { pods: [{ who: 'client c1', facts: { instanceType: 'm5.large' } }] } as unknown as LabFacts;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-prices-'));
  asked.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

const benchWith = (kubernetes: Record<string, unknown>) =>
  benchOf({}, { plan: { lab: labPlanOf({ kubernetes }) }, store: createFolderStore(folder) });
const recorded = async () => (await loadJson<PricesRecord>(createFolderStore(folder), 'prices.json')).value;

describe('prices of a lab', () => {
  it('are asked for once: of the nodes that there are and the types that are planned', async () => {
    answer = async () => Promise.resolve(TABLE);
    const bench = benchWith({ region: 'ap-northeast-2' });
    await recordPrices(bench, facts, BEAT);
    await recordPrices(bench, facts, BEAT);
    expect(asked).toEqual([
      expect.objectContaining({
        region: 'ap-northeast-2',
        instanceTypes: expect.arrayContaining(['m5.large']) as string[],
      }),
    ]);
    expect(await pricesOf(bench)).toEqual(TABLE);
    expect((await recorded()).message).toContain('AWS listed for ap-northeast-2');
  });

  it('of the spec are taken as they are: nobody is asked', async () => {
    const prices = { date: '2026-09', instances: { 'm5.xlarge': 0.2 }, volumes: { gp3: 0.1 } };
    const bench = benchWith({ region: 'ap-northeast-2', prices });
    await recordPrices(bench, facts, BEAT);
    expect(asked).toEqual([]);
    expect((await pricesOf(bench))?.usdPerHourByInstanceType).toEqual({ 'm5.xlarge': 0.2 });
  });

  it('that nobody tells stop nothing: why there are none is kept', async () => {
    const denied = { service: 'Pricing', operation: 'GetProducts' } as const;
    answer = async () => Promise.reject(new AwsError('other', denied, '', 'not authorized'));
    const bench = benchWith({ region: 'ap-northeast-2' });
    await recordPrices(bench, facts, BEAT);
    expect(await recorded()).toMatchObject({
      prices: null,
      message: expect.stringContaining('not authorized') as string,
    });
    expect(await pricesOf(bench)).toBeNull();
  });
});
