import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openStoreAt } from '../../src/store/open-store.ts';
import { createTwoPlaceStore } from '../../src/store/two-place-store.ts';
import { derivableStore } from '../report/verify/derivable.ts';
import { memoryStore } from '../report/harness.ts';
import { s3Error } from './support/answers.ts';
import { emulatedAws } from './support/emulated.ts';
import { s3 } from './support/fault-proxy.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');
const PLACE = 's3://results/derivable-1a2b3c4d';
const aws = emulatedAws();
const folder = mkdtempSync(join(tmpdir(), 'assay-s3-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command line in a process of its own, which has the environment that points to the emulated AWS. */
function assay(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, ASSAY_HOME: join(folder, 'home'), NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

function directly(): S3Client {
  return new S3Client({ endpoint: aws.moto.url, forcePathStyle: true });
}

beforeEach(async () => {
  await directly().send(
    new CreateBucketCommand({
      Bucket: 'results',
      CreateBucketConfiguration: { LocationConstraint: 'ap-northeast-2' },
    }),
  );
});

describe('the results of an experiment in a bucket', () => {
  beforeEach(async () => {
    const [made, store] = [await derivableStore(), openStoreAt(PLACE)];
    for (const path of await made.list('')) await store.put(path, await made.get(path));
  });

  test('assay verify: every hash, and every number derived again from the raw files', async () => {
    const { code, stdout, stderr } = await assay('verify', PLACE);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ok {2}\d+ files, .* manifest sha256 [0-9a-f]{64}$/m);
    expect(stdout).toMatch(/^ok {2}[\d,]+ numbers derived again from the raw files, all as stored$/m);
  });

  test('assay verify finds an object that was changed, and one that was added', async () => {
    const put = (Key: string, Body: string) =>
      directly().send(new PutObjectCommand({ Bucket: 'results', Key: `derivable-1a2b3c4d/${Key}`, Body }));
    await put('analysis.json', '{"format": 1}');
    await put('extra.txt', 'x');
    const { code, stdout } = await assay('verify', PLACE);
    expect(code).toBe(5);
    expect(stdout).toContain('altered  analysis.json');
    expect(stdout).toContain('extra  extra.txt');
  });

  test('assay report renders it again in the bucket, and says where', async () => {
    const { code, stdout, stderr } = await assay('report', PLACE);
    expect([code, stderr]).toEqual([0, `Report: ${PLACE}/report.html\n`]);
    expect(stdout).toContain('Does every number follow from the raw files?');
    expect((await assay('verify', PLACE)).code).toBe(0);
  });

  test('assay status and assay trial read it there', async () => {
    const status = await assay('status', PLACE);
    expect(status.code).toBe(0);
    expect(status.stdout).toMatch(/^derivable {2}.*\n {2}trials: 4 valid of 4 planned\n {2}results: s3:/);
    const listed = await assay('trial', 'ls', PLACE);
    expect(listed.stdout).toContain('b2/batch=64KiB/a1');
    const shown = await assay('trial', 'show', PLACE, 'b2/batch=64KiB', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ rawFolder: `${PLACE}/trials/b2/batch=64KiB/a1` });
  });
});

test.each([
  ['s3://results/none', 5, 'there is no manifest'],
  ['s3://not-there/none', 5, 'there is no such bucket'],
  ['s3://No_Bucket', 2, 'expected s3://bucket/prefix'],
])('%s is told so in a line, without a stack', async (place, exit, words) => {
  const { code, stdout, stderr } = await assay('verify', place);
  expect(code).toBe(exit);
  expect(stdout + stderr).toContain(words);
  expect(stderr).not.toContain('    at ');
});

test('what a bucket does not take goes to the second place, and comes home when it does again', async () => {
  const store = createTwoPlaceStore(openStoreAt(PLACE), memoryStore());
  aws.proxy.fail(s3('PUT'), s3Error('AccessDenied', 403), 2);
  await store.put('trials/b1/x/a1/p.stdout', 'one');
  await store.put('trials/b1/x/a1/trial.json', 'two');
  expect(await store.displaced()).toEqual(['trials/b1/x/a1/p.stdout', 'trials/b1/x/a1/trial.json']);
  expect((await store.get('trials/b1/x/a1/trial.json')).toString()).toBe('two');
  expect(await store.bringHome()).toEqual([]);
  expect(await openStoreAt(PLACE).list('')).toHaveLength(2);
});
