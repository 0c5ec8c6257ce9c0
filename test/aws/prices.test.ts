import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { lookUpPrices } from '../../src/aws/prices.ts';
import { jsonError } from './support/answers.ts';
import { patienceInTests } from './support/emulated.ts';
import { type Fault, type FaultProxy, of, type Recorded, startFaultProxy } from './support/fault-proxy.ts';
import { awsEnvironment } from './support/moto.ts';

/** moto's Pricing is a stub, so answers are ours, in the shape of the service's own. */
const FIXTURE = JSON.parse(
  readFileSync(new URL('fixtures/price-list-seoul.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly unknown[]>>;

let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startFaultProxy('http://127.0.0.1:1');
  for (const [name, value] of Object.entries(awsEnvironment(proxy.url))) vi.stubEnv(name, value);
});
beforeEach(() => proxy.clear());
afterAll(async () => {
  vi.unstubAllEnvs();
  await proxy.stop();
});

function answer(products: readonly unknown[], token?: string): Fault {
  const PriceList = products.map((product) => JSON.stringify(product));
  const body = JSON.stringify({ FormatVersion: 'aws_v1', PriceList, ...(token ? { NextToken: token } : {}) });
  return { kind: 'answer', status: 200, type: 'application/x-amz-json-1.1', body };
}

function filtersOf({ body }: Recorded): Readonly<Record<string, string>> {
  const { Filters } = JSON.parse(body.toString()) as { Filters: { Field: string; Value: string }[] };
  return Object.fromEntries(Filters.map(({ Field, Value }) => [Field, Value]));
}

const asked = (field: string, value: string) => (recorded: Recorded) => filtersOf(recorded)[field] === value;

function serveSeoul(): void {
  proxy.fail(asked('instanceType', 'm5.xlarge'), answer(FIXTURE['m5.xlarge'] ?? []), 100);
  proxy.fail(asked('productFamily', 'Storage'), answer(FIXTURE['gp3'] ?? []), 100);
  proxy.fail(asked('productFamily', 'System Operation'), answer(FIXTURE['gp3-iops'] ?? []), 100);
  proxy.fail(asked('productFamily', 'Provisioned Throughput'), answer(FIXTURE['gp3-throughput'] ?? []), 100);
  proxy.fail(of('GetProducts'), answer([]), 100);
}

const lookUp = (instanceTypes: readonly string[] = ['m5.xlarge']) =>
  lookUpPrices(
    { region: 'ap-northeast-2', instanceTypes, volumeTypes: ['gp3'] },
    '2026-09-02',
    patienceInTests(),
  );

test('the prices of the reference', async () => {
  serveSeoul();
  expect(await lookUp()).toEqual({
    date: '2026-09-02',
    usdPerHourByInstanceType: { 'm5.xlarge': 0.236 },
    usdPerGbMonthByVolumeType: { gp3: 0.0912 },
    usdPerIopsMonth: 0.0057,
    usdPerMiBpsMonth: 46.6944 / 1024,
  });
});

test('what is asked: one region, on demand, Linux, shared, as sent', async () => {
  serveSeoul();
  await lookUp();
  expect(filtersOf(proxy.requests[0]!)).toEqual({
    regionCode: 'ap-northeast-2',
    instanceType: 'm5.xlarge',
    operatingSystem: 'Linux',
    tenancy: 'Shared',
    preInstalledSw: 'NA',
    capacitystatus: 'Used',
    licenseModel: 'No License required',
  });
  expect(JSON.parse(proxy.requests[0]!.body.toString())).toMatchObject({ ServiceCode: 'AmazonEC2' });
});

test('a type that is not listed has no price, and products of other regions are not believed', async () => {
  const elsewhere = JSON.parse(
    JSON.stringify(FIXTURE['m5.xlarge']).replaceAll('ap-northeast-2', 'us-east-1'),
  );
  proxy.fail(asked('instanceType', 'm9.none'), answer(elsewhere as unknown[]));
  serveSeoul();
  expect((await lookUp(['m9.none', 'm5.xlarge'])).usdPerHourByInstanceType).toEqual({ 'm5.xlarge': 0.236 });
});

test('pages are read to the end', async () => {
  proxy.fail(of('GetProducts'), answer([], 'more'));
  serveSeoul();
  expect((await lookUp()).usdPerHourByInstanceType).toEqual({ 'm5.xlarge': 0.236 });
  expect(JSON.parse(proxy.requests[1]!.body.toString())).toMatchObject({ NextToken: 'more' });
});

test('two prices for one thing are refused, not chosen from', async () => {
  const other = JSON.parse(JSON.stringify(FIXTURE['m5.xlarge']).replaceAll('0.2360000000', '0.9000000000'));
  proxy.fail(
    asked('instanceType', 'm5.xlarge'),
    answer([...(FIXTURE['m5.xlarge'] ?? []), ...(other as unknown[])]),
  );
  serveSeoul();
  await expect(lookUp()).rejects.toThrow('it lists 2 prices for m5.xlarge');
});

test('throttling is waited for; missing rights are told', async () => {
  proxy.fail(of('GetProducts'), jsonError('ThrottlingException'), 2);
  serveSeoul();
  expect((await lookUp()).usdPerIopsMonth).toBe(0.0057);
  proxy.clear();
  proxy.fail(of('GetProducts'), jsonError('AccessDeniedException'), 100);
  await expect(lookUp()).rejects.toMatchObject({ code: 'denied' });
});
