import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreConflictError, StoreError } from '../../src/store/errors.ts';
import { createS3Store, type S3StoreOptions } from '../../src/store/s3-store.ts';
import { HTML_500, s3Error } from './support/answers.ts';
import { emulatedAws, patienceInTests } from './support/emulated.ts';
import { s3 } from './support/fault-proxy.ts';

const aws = emulatedAws();
const PART = 5 * 1024 ** 2;
const PLACE = 's3://results/team/kafka';

beforeEach(async () => {
  const client = directly();
  await client.send(new CreateBucketCommand({ Bucket: 'results' }));
  client.destroy();
});

function directly(): S3Client {
  return new S3Client({ endpoint: aws.moto.url, forcePathStyle: true, region: 'us-east-1' });
}

function store(options: S3StoreOptions = {}) {
  return createS3Store(PLACE, { partBytes: PART, patience: patienceInTests(), ...options });
}

async function failure(action: Promise<unknown>): Promise<StoreError> {
  const error = await action.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof StoreError)) throw new Error(`expected a StoreError, got ${String(error)}`);
  return error;
}

/** Different in every part. */
function bigFile(bytes: number): Buffer {
  const content = Buffer.alloc(bytes);
  for (let i = 0; i + 4 <= bytes; i += 4096) content.writeUInt32LE(i, i);
  return content;
}

describe('put', () => {
  test('what was put can be got, with its hash and size, below the prefix', async () => {
    const path = 'trials/b1/batch=64KiB,x=a b/a1/trial.json';
    expect(await store().put(path, 'grüße')).toEqual({
      path,
      sha256: '8285d1ad84c6b6e475d3b50dbf90389c8c7a07a278d9ae46d5698cbe872e3834',
      bytes: 7,
    });
    expect((await store().get(path)).toString()).toBe('grüße');
    expect(await store().has(path)).toBe(true);
    expect(await store().has('trials')).toBe(false);
    expect(await createS3Store('s3://results').list('')).toEqual([`team/kafka/${path}`]);
  });

  test('is conditional and carries its SHA-256, as sent', async () => {
    await store().put('plan.json', '{}');
    const sent = aws.proxy.requests.find(({ method }) => method === 'PUT');
    expect(sent?.path).toMatch(/^\/results\/team\/kafka\/plan\.json/);
    expect(sent?.headers).toMatchObject({
      'if-none-match': '*',
      'x-amz-checksum-sha256': 'RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=',
      'content-type': 'application/json',
    });
  });

  test('the same content again is fine, another content is a conflict and changes nothing', async () => {
    await store().put('plan.json', 'one');
    await store().put('plan.json', 'one');
    const error = await failure(store().put('plan.json', 'two'));
    expect(error).toBeInstanceOf(StoreConflictError);
    expect(error).toMatchObject({
      code: 'conflict',
      storedSha256: '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
    });
    expect((await store().get('plan.json')).toString()).toBe('one');
  });

  test('of many writers of one name exactly one content wins, the others see a conflict', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, async (_, i) => store().put('x/y.json', String(i).repeat(1_000))),
    );
    expect(outcomes.filter((o) => o.status === 'fulfilled')).toHaveLength(1);
    for (const o of outcomes)
      if (o.status === 'rejected') expect(o.reason).toBeInstanceOf(StoreConflictError);
  });

  test.each([
    ['..', '../out.json'],
    ['/', '/etc/passwd'],
    ['//', 'a//b'],
    ['nothing', ''],
    ['\\', 'a\\b'],
    ['1,200 bytes', `${'x/'.repeat(600)}y`],
  ])('a name that is none is refused, and S3 is not asked: %s', async (_, path) => {
    for (const action of [
      store().put(path, 'x'),
      store().replace(path, 'x'),
      store().get(path),
      store().has(path),
    ])
      expect((await failure(action)).code).toBe('bad-path');
    expect(aws.proxy.requests).toEqual([]);
  });
});

test('replace replaces as a whole', async () => {
  await store().replace('report.html', 'one');
  await store().replace('report.html', 'two');
  expect((await store().get('report.html')).toString()).toBe('two');
});

test('list names files below a prefix in code-unit order, over pages', async () => {
  for (const path of ['b.json', 'trials/b10/x.json', 'trials/b1/x.json', 'a.json'])
    await store().put(path, path);
  await createS3Store('s3://results/team/kafka-other').put('no.json', '');
  expect(await store().list('')).toEqual(['a.json', 'b.json', 'trials/b1/x.json', 'trials/b10/x.json']);
  expect(await store().list('trials/b1/')).toEqual(['trials/b1/x.json']);
  expect(await createS3Store('s3://results/none').list('')).toEqual([]);
  const page = (token: string, key: string) => ({
    ...s3Error('', 200),
    body: `<ListBucketResult><IsTruncated>${token !== ''}</IsTruncated><NextContinuationToken>${token}</NextContinuationToken><Contents><Key>team/kafka/${key}</Key></Contents></ListBucketResult>`,
  });
  aws.proxy.clear();
  aws.proxy.fail(s3('GET', /list-type=2/), page('more', 'one'));
  aws.proxy.fail(s3('GET', /list-type=2/), page('', 'two'));
  expect(await store().list('')).toEqual(['one', 'two']);
  expect(aws.proxy.requests[1]?.path).toContain('continuation-token=more');
});

describe('a big file', () => {
  test('goes up in parts that carry their SHA-256, and is whole', async () => {
    const content = bigFile(2 * PART + 12_345);
    await store().put('sampler.jsonl', content);
    const parts = aws.proxy.requests.filter(({ path }) => path.includes('partNumber='));
    expect(parts.map(({ body }) => body.length).toSorted((a, b) => b - a)).toEqual([PART, PART, 12_345]);
    expect(parts.every(({ headers }) => headers['x-amz-checksum-sha256'] !== undefined)).toBe(true);
    const completed = aws.proxy.requests.find(
      ({ method, path }) => method === 'POST' && path.includes('uploadId='),
    );
    expect(completed?.headers['if-none-match']).toBe('*');
    expect((await store().get('sampler.jsonl')).equals(content)).toBe(true);
  });

  test('that failed in mid upload goes on where it was: parts that are there are not sent again', async () => {
    const content = bigFile(2 * PART + 12_345);
    aws.proxy.fail(s3('PUT', /partNumber=2&/), s3Error('AccessDenied', 403));
    expect((await failure(store().put('sampler.jsonl', content))).code).toBe('denied');
    expect(await store().has('sampler.jsonl')).toBe(false);
    aws.proxy.clear();
    await store().put('sampler.jsonl', content);
    const sent = aws.proxy.requests.flatMap(({ path }) => /partNumber=(\d+)/.exec(path)?.[1] ?? []);
    expect(sent).toContain('2');
    expect(sent).not.toContain('1');
    expect(aws.proxy.requests.some(({ path }) => /\?uploads/.test(path) && !path.includes('prefix'))).toBe(
      false,
    );
    expect((await store().get('sampler.jsonl')).equals(content)).toBe(true);
    expect(
      (await directly().send(new ListMultipartUploadsCommand({ Bucket: 'results' }))).Uploads ?? [],
    ).toEqual([]);
  });

  test('what another content left of an upload is sent anew', async () => {
    aws.proxy.fail(s3('PUT', /partNumber=2&/), s3Error('AccessDenied', 403));
    await failure(store().put('sampler.jsonl', Buffer.alloc(2 * PART + 1, 'x')));
    aws.proxy.clear();
    const content = bigFile(2 * PART + 1);
    await store().put('sampler.jsonl', content);
    expect((await store().get('sampler.jsonl')).equals(content)).toBe(true);
  });

  test('connections that break while parts go up are made anew', async () => {
    const content = bigFile(PART + 1);
    aws.proxy.fail(s3('PUT', /partNumber=/), { kind: 'refuse' }, 2);
    aws.proxy.fail(s3('POST', /uploadId=/), { kind: 'reset', afterBytes: 0 });
    await store().put('sampler.jsonl', content);
    expect((await store().get('sampler.jsonl')).equals(content)).toBe(true);
  });

  test('that is there already is not sent again, and another content is a conflict', async () => {
    await store().put('sampler.jsonl', bigFile(PART + 1));
    aws.proxy.clear();
    await store().put('sampler.jsonl', bigFile(PART + 1));
    expect(aws.proxy.requests.every(({ method }) => ['HEAD', 'GET'].includes(method))).toBe(true);
    expect((await failure(store().put('sampler.jsonl', bigFile(PART + 2)))).code).toBe('conflict');
  });
});

describe('faults', () => {
  test.each([
    ['503 SlowDown', s3Error('SlowDown', 503)],
    ['a crashed server', HTML_500],
    ['a broken connection', { kind: 'refuse' } as const],
    ['an answer that is lost', { kind: 'reset', afterBytes: 0 } as const],
  ])('%s is waited for', async (_, fault) => {
    const patience = patienceInTests();
    aws.proxy.fail(s3('PUT'), fault, 3);
    await store({ patience }).put('a.json', 'x');
    expect(patience.waitedMs).toHaveLength(3);
    expect((await store().get('a.json')).toString()).toBe('x');
  });

  test('a connection that breaks in the middle of a body is made anew', async () => {
    await store().put('a.bin', bigFile(100_000));
    aws.proxy.fail(s3('GET'), { kind: 'reset', afterBytes: 5_000 }, 2);
    expect((await store().get('a.bin')).equals(bigFile(100_000))).toBe(true);
  });

  test.each([
    ['SlowDown', s3Error('SlowDown', 503), 'unreachable', 'does not answer'],
    ['AccessDenied', s3Error('AccessDenied', 403), 'denied', 's3:PutObject'],
    ['ExpiredToken', s3Error('ExpiredToken', 400), 'credentials', 'Renew'],
    ['InvalidAccessKeyId', s3Error('InvalidAccessKeyId', 403), 'credentials', 'credentials'],
    ['QuotaExceeded', s3Error('QuotaExceeded', 403), 'full', 'takes no more'],
    ['BadDigest', s3Error('BadDigest', 400), 'corrupt', 'not what was sent'],
    ['NoSuchBucket', s3Error('NoSuchBucket', 404), 'missing', 'no such bucket'],
    ['a dead connection', { kind: 'refuse' } as const, 'unreachable', 'AWS_ENDPOINT_URL_S3'],
  ] as const)('%s for good has its own code', async (_, fault, code, words) => {
    aws.proxy.fail(s3('PUT'), fault, 1_000);
    const error = await failure(store().put('a.json', 'x'));
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
    expect(error.message).toContain(PLACE);
    expect(await store().has('a.json')).toBe(false);
  });

  test('what is stored with another checksum is no success', async () => {
    const wrong = { 'x-amz-checksum-sha256': '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' };
    aws.proxy.fail(s3('HEAD'), { kind: 'headers', headers: wrong });
    expect((await failure(store().put('a.json', 'x'))).code).toBe('corrupt');
  });

  test('a file that is not there, and a token that has expired where only HEAD is asked, are said plainly', async () => {
    expect((await failure(store().get('none.json'))).code).toBe('missing');
    aws.proxy.fail(s3('HEAD'), s3Error('', 400), 1_000);
    aws.proxy.fail(s3('GET'), s3Error('ExpiredToken', 400), 1_000);
    expect((await failure(store().has('a.json'))).code).toBe('credentials');
  });

  test('while S3 is down a further file does not wait as long as the first', async () => {
    const patience = patienceInTests();
    const down = store({ patience });
    aws.proxy.fail(s3('PUT'), s3Error('SlowDown', 503), 1_000);
    await failure(down.put('a.json', 'x'));
    const first = patience.waitedMs.length;
    await failure(down.put('b.json', 'x'));
    expect(patience.waitedMs.length - first).toBeLessThan(first / 2);
  });
});

test('without a region the user is told what to set', async () => {
  vi.stubEnv('AWS_REGION', undefined);
  try {
    const error = await failure(createS3Store(PLACE, { env: {}, patience: patienceInTests() }).get('a.json'));
    expect(error.message).toContain('AWS_REGION');
  } finally {
    vi.stubEnv('AWS_REGION', 'ap-northeast-2');
  }
});
