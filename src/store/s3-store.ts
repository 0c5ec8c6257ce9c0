import { createHash } from 'node:crypto';
import {
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { AwsError } from '../aws/errors.ts';
import type { Patience } from '../aws/patience.ts';
import { StoreConflictError, StoreError } from './errors.ts';
import { sha256 } from './folder-store.ts';
import { checkStorePath } from './paths.ts';
import { asS3StoreError, isNotFound, type S3Access, s3Access } from './s3-access.ts';
import { parseS3Location, s3LocationText } from './s3-location.ts';
import { compositeSha256, uploadInParts } from './s3-multipart.ts';
import type { Store, StoredFile } from './store.ts';

export interface S3StoreOptions {
  /** Size of a part; a file above it goes up in parts. S3 takes 5 MiB to 5 GiB. */
  readonly partBytes?: number;
  readonly patience?: Patience;
  readonly env?: NodeJS.ProcessEnv;
}

const PART_BYTES = 8 * 1024 ** 2;
/** Longest key that S3 takes, in bytes. */
const MAX_KEY_BYTES = 1_024;

/**
 * A store below a prefix of a bucket. An object appears as a whole or not at all; `put` is conditional (If-None-Match), so
 * that of two writers one wins; every write carries its SHA-256, which S3 checks, and is looked at again afterwards. A
 * big file goes up in parts, and goes on where an earlier try ended.
 * @param location `s3://bucket/prefix`.
 * @throws StoreError (every method) with a code, see errors.ts.
 */
export function createS3Store(location: string, options: S3StoreOptions = {}): Store {
  const parsed = parseS3Location(location);
  if (parsed === null) {
    const fix = 'Expected s3://bucket/prefix';
    throw new StoreError('bad-path', { path: '', location }, 'this is no location of S3', fix);
  }
  const place = s3LocationText(parsed);
  const access = s3Access(parsed.bucket, options.env ?? process.env, options.patience);
  const root = parsed.prefix === '' ? '' : `${parsed.prefix}/`;
  const partBytes = options.partBytes ?? PART_BYTES;

  async function guarded<T>(path: string, action: (key: string) => Promise<T>): Promise<T> {
    const at = { path, location: place };
    const key = root + checkStorePath(path, place);
    if (Buffer.byteLength(key) > MAX_KEY_BYTES)
      throw new StoreError(
        'bad-path',
        at,
        `its key is longer than ${MAX_KEY_BYTES} bytes`,
        'Shorten the prefix',
      );
    try {
      return await action(key);
    } catch (error) {
      throw asS3StoreError(error, at);
    }
  }

  async function write(path: string, content: Buffer | string, ifAbsent: boolean): Promise<StoredFile> {
    return guarded(path, async (key) => {
      const file: Offered = { key, bytes: Buffer.from(content), partBytes, ifAbsent, ...namesOf(path) };
      const ours = await upload(access, file);
      const offered = sha256(file.bytes);
      if (!(await isStored(access, file))) {
        // Other bytes than ours: a fault on the way when we wrote them, a conflict when somebody was there before us.
        if (ours) throw readBackError(path, place);
        throw new StoreConflictError({ path, location: place }, sha256(await read(access, key)), offered);
      }
      return { path, sha256: offered, bytes: file.bytes.length };
    });
  }

  return {
    location: place,
    put: async (path, content) => write(path, content, true),
    replace: async (path, content) => write(path, content, false),
    get: async (path) => guarded(path, (key) => read(access, key)),
    has: async (path) => guarded(path, async (key) => (await head(access, key)) !== null),
    list: async (prefix) => {
      try {
        return (await keysBelow(access, root + prefix)).map((key) => key.slice(root.length)).sort(byCodeUnit);
      } catch (error) {
        throw asS3StoreError(error, { path: prefix, location: place });
      }
    },
  };
}

interface Offered {
  readonly key: string;
  readonly bytes: Buffer;
  readonly partBytes: number;
  readonly contentType: string;
  readonly ifAbsent: boolean;
}

/** Whether these bytes were written; false when the name was taken and left alone. */
async function upload(access: S3Access, file: Offered): Promise<boolean> {
  // A big file that is there already would cost its whole way before S3 says so.
  if (file.bytes.length > file.partBytes && file.ifAbsent && (await head(access, file.key)) !== null)
    return false;
  try {
    if (file.bytes.length <= file.partBytes) await putWhole(access, file);
    else await inParts(access, file);
    return true;
  } catch (error) {
    if (error instanceof AwsError && error.awsCode === 'PreconditionFailed') return false;
    throw error;
  }
}

/** An upload that is gone was completed and its answer lost, or somebody ended it: then it is begun anew, once. */
async function inParts(access: S3Access, file: Offered): Promise<void> {
  try {
    await uploadInParts(access, file);
  } catch (error) {
    if (!isNotFound(error) || (error as AwsError).awsCode === 'NoSuchBucket') throw error;
    if (!(await isStored(access, file))) await uploadInParts(access, file);
  }
}

async function putWhole(access: S3Access, file: Offered): Promise<void> {
  await access.ask('PutObject', (client) =>
    client.send(
      new PutObjectCommand({
        Bucket: access.bucket,
        Key: file.key,
        Body: file.bytes,
        ContentType: file.contentType,
        ChecksumSHA256: base64Sha256(file.bytes),
        ...(file.ifAbsent ? { IfNoneMatch: '*' } : {}),
      }),
    ),
  );
}

/**
 * Whether the object holds these bytes: by the SHA-256 that S3 took of what it received; where it tells none, or one of
 * parts that are not ours, by reading it.
 */
async function isStored(access: S3Access, { key, bytes, partBytes }: Offered): Promise<boolean> {
  const found = await head(access, key);
  if (found === null || found.ContentLength !== bytes.length) return false;
  const [told, parts] = found.ChecksumSHA256?.split('-') ?? [];
  const ofParts = parts !== undefined || found.ChecksumType === 'COMPOSITE';
  if (told === (ofParts ? compositeSha256(bytes, partBytes) : base64Sha256(bytes))) return true;
  if (told !== undefined && !ofParts) return false;
  return sha256(await read(access, key)) === sha256(bytes);
}

async function head(access: S3Access, key: string): Promise<HeadObjectCommandOutput | null> {
  try {
    return await access.ask('HeadObject', (client) =>
      client.send(new HeadObjectCommand({ Bucket: access.bucket, Key: key, ChecksumMode: 'ENABLED' })),
    );
  } catch (error) {
    if (isNotFound(error)) return null;
    if (error instanceof AwsError && error.code === 'invalid') await tellWhy(access, key);
    throw error;
  }
}

/** An answer to HEAD has no body, so it says 400 and no more (of an expired token, too); GET names the reason. */
async function tellWhy(access: S3Access, key: string): Promise<void> {
  await access.ask('GetObject', (client) =>
    client.send(new GetObjectCommand({ Bucket: access.bucket, Key: key, Range: 'bytes=0-0' })),
  );
}

/** One try reads the whole body, so that a connection that breaks in the middle is tried again. */
async function read(access: S3Access, key: string): Promise<Buffer> {
  return access.ask('GetObject', async (client) => {
    const { Body, ContentLength } = await client.send(
      new GetObjectCommand({ Bucket: access.bucket, Key: key, ChecksumMode: 'ENABLED' }),
    );
    const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
    if (ContentLength !== undefined && bytes.length !== ContentLength)
      throw Object.assign(new Error(`${bytes.length} of ${ContentLength} bytes came`), {
        code: 'ECONNRESET',
      });
    return bytes;
  });
}

async function keysBelow(access: S3Access, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  let token: string | undefined;
  do {
    const input = { Bucket: access.bucket, Prefix: prefix };
    const page = await access.ask('ListObjectsV2', (client) =>
      client.send(
        new ListObjectsV2Command({ ...input, ...(token === undefined ? {} : { ContinuationToken: token }) }),
      ),
    );
    // What ends with a slash is a folder that some console made: no file of the store.
    keys.push(...(page.Contents ?? []).flatMap(({ Key = '/' }) => (Key.endsWith('/') ? [] : [Key])));
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
  return keys;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** Browsers show a report instead of saving it. */
function namesOf(path: string): { contentType: string } {
  return { contentType: CONTENT_TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream' };
}

function base64Sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}

function readBackError(path: string, location: string): StoreError {
  const fix = 'Check the network between the worker and S3, then try again';
  return new StoreError('corrupt', { path, location }, 'what is stored is not what was written', fix);
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
