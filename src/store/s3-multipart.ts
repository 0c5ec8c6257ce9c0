import { createHash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type Part,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { S3Access } from './s3-access.ts';

/** A file that goes up in parts. */
export interface BigFile {
  readonly key: string;
  readonly bytes: Buffer;
  readonly partBytes: number;
  readonly contentType: string;
  readonly ifAbsent: boolean;
}

interface Piece {
  readonly number: number;
  readonly bytes: Buffer;
  /** SHA-256, base64, as S3 writes it. */
  readonly sha256: string;
}

interface Uploaded {
  readonly PartNumber: number;
  readonly ETag: string;
  readonly ChecksumSHA256: string;
}

const SIDE_BY_SIDE = 4;

/**
 * Uploads a file in parts, each with its SHA-256, which S3 checks. An upload of the same name that was begun before is gone
 * on with: parts of it that hold the same bytes are not sent again. What others put into the same upload does no
 * harm: it is completed with exactly the parts that were checked here.
 * @throws AwsError; of a name that is taken, with `awsCode` PreconditionFailed.
 */
export async function uploadInParts(access: S3Access, file: BigFile): Promise<void> {
  const pieces = piecesOf(file);
  const { uploadId, parts } = await begunUpload(access, file);
  const done = new Map<number, Uploaded>();
  for (const piece of pieces) {
    const there = parts.find((part) => part.PartNumber === piece.number && holds(part, piece));
    if (there?.ETag !== undefined) done.set(piece.number, uploaded(piece, there.ETag));
  }
  await eachOf(
    pieces.filter(({ number }) => !done.has(number)),
    async (piece) => {
      done.set(piece.number, await uploadPiece(access, file.key, uploadId, piece));
    },
  );
  const Parts = pieces.flatMap(({ number }) => done.get(number) ?? []);
  await access.ask('CompleteMultipartUpload', (client) =>
    client.send(
      new CompleteMultipartUploadCommand({
        Bucket: access.bucket,
        Key: file.key,
        UploadId: uploadId,
        MultipartUpload: { Parts },
        ...(file.ifAbsent ? { IfNoneMatch: '*' } : {}),
      }),
    ),
  );
}

/** The checksum that S3 gives an object of these parts: the SHA-256 of their SHA-256s; their number behind a dash left out. */
export function compositeSha256(bytes: Buffer, partBytes: number): string {
  const pieces = piecesOf({ bytes, partBytes });
  const all = Buffer.concat(pieces.map(({ sha256 }) => Buffer.from(sha256, 'base64')));
  return createHash('sha256').update(all).digest('base64');
}

function piecesOf({ bytes, partBytes }: Pick<BigFile, 'bytes' | 'partBytes'>): readonly Piece[] {
  return Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, i) => {
    const piece = bytes.subarray(i * partBytes, (i + 1) * partBytes);
    return { number: i + 1, bytes: piece, sha256: createHash('sha256').update(piece).digest('base64') };
  });
}

function uploaded(piece: Piece, ETag: string): Uploaded {
  return { PartNumber: piece.number, ETag, ChecksumSHA256: piece.sha256 };
}

/** By SHA-256; where a server keeps none, by the MD5 that an ETag is (a wrong guess only sends it again). */
function holds(part: Part, piece: Piece): boolean {
  if (part.Size !== piece.bytes.length) return false;
  if (part.ChecksumSHA256 !== undefined) return part.ChecksumSHA256 === piece.sha256;
  return part.ETag?.replaceAll('"', '') === createHash('md5').update(piece.bytes).digest('hex');
}

/** The newest upload of this name that was begun and not ended, or a new one. */
async function begunUpload(
  access: S3Access,
  file: BigFile,
): Promise<{ uploadId: string; parts: readonly Part[] }> {
  const begun = await begunUploads(access, file.key);
  const newest = begun.toSorted((a, b) => b.begunAtMs - a.begunAtMs)[0];
  if (newest !== undefined)
    return { uploadId: newest.uploadId, parts: await partsOf(access, file.key, newest.uploadId) };
  const created = await access.ask('CreateMultipartUpload', (client) =>
    client.send(
      new CreateMultipartUploadCommand({
        Bucket: access.bucket,
        Key: file.key,
        ContentType: file.contentType,
        ChecksumAlgorithm: 'SHA256',
        ChecksumType: 'COMPOSITE',
      }),
    ),
  );
  return { uploadId: created.UploadId ?? '', parts: [] };
}

async function begunUploads(access: S3Access, key: string) {
  const found: { uploadId: string; begunAtMs: number }[] = [];
  let from: Markers | null = {};
  while (from !== null) {
    const input: ListMultipartUploadsCommandInput = { Bucket: access.bucket, Prefix: key, ...from };
    const page: ListMultipartUploadsCommandOutput = await access.ask('ListMultipartUploads', (client) =>
      client.send(new ListMultipartUploadsCommand(input)),
    );
    for (const { Key, UploadId, Initiated, ChecksumAlgorithm } of page.Uploads ?? []) {
      const checked = ChecksumAlgorithm === undefined || ChecksumAlgorithm === 'SHA256';
      if (Key === key && UploadId !== undefined && checked)
        found.push({ uploadId: UploadId, begunAtMs: Initiated?.getTime() ?? 0 });
    }
    from = page.IsTruncated === true ? markersOf(page.NextKeyMarker, page.NextUploadIdMarker) : null;
  }
  return found;
}

interface Markers {
  readonly KeyMarker?: string;
  readonly UploadIdMarker?: string;
}

function markersOf(key: string | undefined, uploadId: string | undefined): Markers {
  return {
    ...(key === undefined ? {} : { KeyMarker: key }),
    ...(uploadId === undefined ? {} : { UploadIdMarker: uploadId }),
  };
}

async function partsOf(access: S3Access, key: string, uploadId: string): Promise<readonly Part[]> {
  const found: Part[] = [];
  let marker: string | undefined;
  do {
    const input = { Bucket: access.bucket, Key: key, UploadId: uploadId };
    const page = await access.ask('ListParts', (client) =>
      client.send(
        new ListPartsCommand({ ...input, ...(marker === undefined ? {} : { PartNumberMarker: marker }) }),
      ),
    );
    found.push(...(page.Parts ?? []));
    marker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined;
  } while (marker !== undefined);
  return found;
}

async function uploadPiece(access: S3Access, key: string, uploadId: string, piece: Piece): Promise<Uploaded> {
  const answer = await access.ask('UploadPart', (client) =>
    client.send(
      new UploadPartCommand({
        Bucket: access.bucket,
        Key: key,
        UploadId: uploadId,
        PartNumber: piece.number,
        Body: piece.bytes,
        ChecksumSHA256: piece.sha256,
      }),
    ),
  );
  return uploaded(piece, answer.ETag ?? '');
}

/** A few at a time; after a failure none is begun, and those under way are waited for: nothing goes on behind the caller. */
async function eachOf<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const lanes = Array.from({ length: Math.min(SIDE_BY_SIDE, items.length) }, async () => {
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await action(item);
    } catch (error) {
      waiting.length = 0;
      throw error;
    }
  });
  await Promise.allSettled(lanes);
  await Promise.all(lanes);
}
