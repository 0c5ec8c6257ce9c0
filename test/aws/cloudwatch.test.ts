import { CloudWatchClient, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { describe, expect, test } from 'vitest';
import { collectMetrics, createCloudWatch } from '../../src/aws/cloudwatch.ts';
import { AwsError, type AwsErrorCode } from '../../src/aws/errors.ts';
import { gridAround, queriesFor } from '../../src/aws/metric-queries.ts';
import type { Patience } from '../../src/aws/patience.ts';
import { volumeUse } from '../../src/measure/volume-use.ts';
import { HTML_500, jsonError, metricPage } from './support/answers.ts';
import { emulatedAws, patienceInTests } from './support/emulated.ts';
import { of } from './support/fault-proxy.ts';

const aws = emulatedAws();
const REGION = 'ap-northeast-2';
const M = 60_000;
/** A five-minute mark some hours ago: CloudWatch takes data of two weeks. */
const T0 = Math.floor((Date.now() - 5 * 3_600_000) / (5 * M)) * 5 * M;
const watched = { volumes: [{ id: 'vol-0abc', type: 'gp3' }], instances: [] };
const span = { fromMs: T0 + M, toMs: T0 + 9 * M };
const seconds = (minute: number) => (T0 + minute * M) / 1_000;

async function put(metric: string, byMinute: readonly number[]): Promise<void> {
  const client = new CloudWatchClient({ endpoint: aws.moto.url, region: REGION });
  await client.send(
    new PutMetricDataCommand({
      Namespace: 'AWS/EBS',
      MetricData: byMinute.map((Value, minute) => ({
        MetricName: metric,
        Dimensions: [{ Name: 'VolumeId', Value: 'vol-0abc' }],
        Timestamp: new Date(T0 + minute * M + 1_000),
        Value,
      })),
    }),
  );
  client.destroy();
}

const queries = queriesFor(watched);
const window = gridAround(span);
const read = (patience: Patience = patienceInTests()) =>
  createCloudWatch({ region: REGION }).read(queries, window, patience);
const complete = (Timestamps: readonly number[] = [], Values: readonly number[] = []) =>
  queries.map(({ queryId }, i) => ({
    Id: queryId,
    StatusCode: 'Complete',
    Timestamps: i === 1 ? Timestamps : [],
    Values: i === 1 ? Values : [],
  }));
const writes = async (given: ReturnType<typeof read>) =>
  (await given).series.find(({ metric }) => metric === 'VolumeWriteBytes');

async function failure(action: Promise<unknown>): Promise<AwsError> {
  const error = await action.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof AwsError)) throw new Error(`expected an AwsError, got ${String(error)}`);
  return error;
}

describe('what is asked', () => {
  test('namespace, dimension, period, statistic, window and order, as sent', async () => {
    await read();
    const sent = JSON.parse(aws.proxy.requests[0]?.body.toString('utf8') ?? '') as Record<string, unknown>;
    expect(sent).toMatchObject({
      StartTime: T0 / 1_000,
      EndTime: seconds(10),
      ScanBy: 'TimestampAscending',
    });
    const asked = sent['MetricDataQueries'] as readonly unknown[];
    expect(asked).toHaveLength(10);
    expect(asked[1]).toEqual({
      Id: 'q1',
      MetricStat: {
        Metric: {
          Namespace: 'AWS/EBS',
          MetricName: 'VolumeWriteBytes',
          Dimensions: [{ Name: 'VolumeId', Value: 'vol-0abc' }],
        },
        Period: 60,
        Stat: 'Sum',
      },
      ReturnData: true,
    });
  });

  test('instances by their own namespace and dimension', async () => {
    const ofInstances = queriesFor({ volumes: [], instances: [{ id: 'i-0abc', type: 'm5.xlarge' }] });
    await createCloudWatch({ region: REGION }).read(ofInstances, window, patienceInTests());
    const sent = aws.proxy.requests[0]?.body.toString('utf8') ?? '';
    const [first] = (JSON.parse(sent) as { MetricDataQueries: unknown[] }).MetricDataQueries;
    expect(first).toMatchObject({
      MetricStat: {
        Metric: {
          Namespace: 'AWS/EC2',
          MetricName: 'EBSIOBalance%',
          Dimensions: [{ Name: 'InstanceId', Value: 'i-0abc' }],
        },
        Period: 300,
        Stat: 'Minimum',
      },
    });
  });
});

test('an emulated volume: sums by minute come back, and what nobody measured has no points', async () => {
  await put('VolumeWriteBytes', [0, 60, 120, 180, 240, 300, 360, 420, 480, 540]);
  await put('VolumeWriteOps', [0, 6, 6, 6, 6, 6, 6, 6, 6, 6]);
  const { series } = await read();
  const trials = volumeUse(series, [{ trial: 'b1/x/a1', fromMs: T0 + 1.5 * M, toMs: T0 + 4.5 * M }]);
  expect(trials[0]?.volumes[0]).toMatchObject({
    volumeId: 'vol-0abc',
    write: { bytesPerS: 2.5, opsPerS: 0.1, meanOpBytes: 25, coverage: 2 / 3 },
    read: { bytesPerS: null, coverage: 0 },
  });
});

describe('faults', () => {
  test('pages: the token is sent back, points of one id on two pages are one series, none twice', async () => {
    aws.proxy.fail(
      of('GetMetricData'),
      metricPage(complete([seconds(2), seconds(1)], [2, 1]), { NextToken: 'two' }),
    );
    aws.proxy.fail(of('GetMetricData'), metricPage(complete([seconds(3), seconds(2)], [3, 2])));
    expect((await writes(read()))?.points.map(({ value }) => value)).toEqual([1, 2, 3]);
    expect(aws.proxy.requests.map(({ body }) => JSON.parse(body.toString()).NextToken)).toEqual([
      undefined,
      'two',
    ]);
  });

  test('PartialData, then Complete, is complete', async () => {
    const partial = complete([seconds(1)], [1]).map((one) => ({ ...one, StatusCode: 'PartialData' }));
    aws.proxy.fail(of('GetMetricData'), metricPage(partial, { NextToken: 'two' }));
    aws.proxy.fail(of('GetMetricData'), metricPage(complete([seconds(2)], [2])));
    expect(await writes(read())).toMatchObject({
      completeness: 'complete',
      points: [{ value: 1 }, { value: 2 }],
    });
    expect(aws.proxy.requests).toHaveLength(2);
  });

  test('InternalError: those series are asked for again, and only those', async () => {
    const broken = complete([seconds(1)], [1]).map((one, i) =>
      i === 3 ? { ...one, StatusCode: 'InternalError' } : one,
    );
    aws.proxy.fail(of('GetMetricData'), metricPage(broken));
    aws.proxy.fail(
      of('GetMetricData'),
      metricPage([{ Id: 'q3', StatusCode: 'Complete', Timestamps: [seconds(1)], Values: [7] }]),
    );
    const { series } = await read();
    expect(series[3]).toMatchObject({ completeness: 'complete', points: [{ value: 7 }] });
    expect(series[1]).toMatchObject({ points: [{ value: 1 }] });
    const again = JSON.parse(aws.proxy.requests[1]?.body.toString() ?? '') as {
      MetricDataQueries: { Id: string }[];
    };
    expect(again.MetricDataQueries.map(({ Id }) => Id)).toEqual(['q3']);
  });

  test('PartialData for ever ends, marked, with what was there', async () => {
    const partial = complete([seconds(1)], [1]).map((one) => ({ ...one, StatusCode: 'PartialData' }));
    aws.proxy.fail(of('GetMetricData'), metricPage(partial), 100);
    const patience = patienceInTests();
    expect(await writes(read(patience))).toMatchObject({ completeness: 'partial', points: [{ value: 1 }] });
    expect(patience.said[0]).toContain('asking again');
  });

  test.each([
    ['throttling', jsonError('Throttling', 400, 'Rate exceeded')],
    ['a crashed server', HTML_500],
    ['a broken connection', { kind: 'refuse' } as const],
    ['a connection that breaks in mid body', { kind: 'reset', afterBytes: 20 } as const],
    ['ServiceUnavailable', jsonError('ServiceUnavailable', 503)],
  ])('%s is waited for, longer each time, and said', async (_, fault) => {
    const patience = patienceInTests();
    aws.proxy.fail(of('GetMetricData'), fault, 3);
    expect((await read(patience)).series).toHaveLength(10);
    expect(patience.said).toHaveLength(3);
    expect(patience.said[0]).toContain('CloudWatch GetMetricData');
    expect(patience.waitedMs[2] ?? 0).toBeGreaterThan(patience.waitedMs[0] ?? 0);
  });

  test('expired credentials are waited for, visibly, and new ones are used', async () => {
    const patience = patienceInTests();
    aws.proxy.fail(of('GetMetricData'), jsonError('ExpiredToken', 403, 'The security token has expired'), 2);
    expect((await read(patience)).series).toHaveLength(10);
    expect(patience.said).toHaveLength(2);
    expect(patience.said[0]).toContain('waiting for new AWS credentials');
  });

  test.each<[string, AwsErrorCode]>([
    ['Throttling', 'throttled'],
    ['ExpiredTokenException', 'expired-credentials'],
    ['AccessDenied', 'denied'],
    ['InvalidClientTokenId', 'no-credentials'],
    ['InvalidParameterValue', 'invalid'],
    ['InternalServiceFault', 'server'],
  ])('%s for good is an error of the closed set: %s', async (type, code) => {
    aws.proxy.fail(of('GetMetricData'), jsonError(type, type === 'InternalServiceFault' ? 500 : 400), 1_000);
    expect((await failure(read())).code).toBe(code);
  });
});

describe('collectMetrics', () => {
  /** A clock that the waits move, from the end of the experiment on. */
  function clock(startMs: number = span.toMs) {
    const time = { nowMs: startMs };
    const patience = { ...patienceInTests(), sleep: async (ms: number) => void (time.nowMs += ms) };
    const collect = () =>
      collectMetrics(
        createCloudWatch({ region: REGION }),
        { region: REGION, watched, span },
        patience,
        undefined,
        () => time.nowMs,
      );
    return { time, collect, patience };
  }
  const upTo = (minute: number) => {
    const minutes = Array.from({ length: minute }, (_, m) => m);
    return metricPage(
      complete(
        minutes.map(seconds),
        minutes.map((m) => m * 10),
      ),
    );
  };

  test('late points: it reads until two reads agree and the last minute is there', async () => {
    for (const minute of [4, 4, 7, 9, 9]) aws.proxy.fail(of('GetMetricData'), upTo(minute));
    const record = await clock().collect();
    expect(record).toMatchObject({ state: 'stable', reads: 5, region: REGION, window, notes: [] });
    expect(record.series[1]?.points).toHaveLength(9);
  });

  test('points that stop coming before the end are believed after a quarter of an hour', async () => {
    aws.proxy.fail(of('GetMetricData'), upTo(4), 1_000);
    const { time, collect } = clock();
    expect(await collect()).toMatchObject({ state: 'stable' });
    expect(time.nowMs - span.toMs).toBeGreaterThanOrEqual(15 * M);
  });

  test('points that never settle are provisional', async () => {
    for (let i = 0; i < 100; i++)
      aws.proxy.fail(of('GetMetricData'), metricPage(complete([seconds(8)], [i])));
    expect(await clock().collect()).toMatchObject({ state: 'provisional' });
  });

  test('an empty answer is no answer of zero', async () => {
    aws.proxy.fail(of('GetMetricData'), metricPage(complete()), 1_000);
    const record = await clock().collect();
    expect(record.series.every(({ points, spacingS }) => points.length === 0 && spacingS === null)).toBe(
      true,
    );
  });

  test('read long afterwards, one read is enough; points wider apart than asked for are noted', async () => {
    aws.proxy.fail(of('GetMetricData'), metricPage(complete([seconds(0), seconds(5)], [1, 2])), 2);
    const record = await clock(span.toMs + 16 * 24 * 3_600_000).collect();
    expect(record).toMatchObject({ reads: 1, state: 'stable' });
    expect(record.notes.join(' ')).toMatch(
      /wider apart than asked for: VolumeWriteBytes of vol-0abc.*15 days/,
    );
  });
});
