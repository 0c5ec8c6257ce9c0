import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { CapsuleError } from '../../capsule/capsule-error.ts';

/** 96 KiB of base64: an argument may have 128 KiB. */
export const CHUNK_BYTES = 72 * 1024;
const DEADLINE_MS = 60_000;
const AT_ONCE = 4;
const ROUNDS = 3;
const DAMAGED = 3;
const NOT_WRITTEN = 4;

/** Runs a command that may run twice. */
export type RunInPod = (
  argv: readonly string[],
  deadlineMs: number,
) => Promise<{ code: number; stdout: Buffer; stderr: string }>;

/**
 * `sh` of Debian and of busybox. Each script says `ok` only after it has compared hashes, because an exit code may come
 * with cut output; each may run twice, also at the same time.
 */
const PRELUDE = `umask 077; sum() { h=$(sha256sum <"$1") && h=\${h%% *}; }; new() { mkdir -p "\${1%/*}" && : >"$1" || exit ${NOT_WRITTEN}; }; `;
/** PATH SHA256 UNIQUE BASE64 */
const WHOLE = `${PRELUDE}new "$1.$3.part"; printf %s "$4" | base64 -d | gzip -dc >"$1.$3.part" && sum "$1.$3.part"
[ "$h" = "$2" ] || { rm -f "$1.$3.part"; exit ${DAMAGED}; }
mv -f "$1.$3.part" "$1" && echo ok`;
/** FOLDER INDEX SHA256 UNIQUE BASE64 */
const PART = `${PRELUDE}new "$1/.$4.$2"; printf %s "$5" | base64 -d >"$1/.$4.$2" && sum "$1/.$4.$2"
[ "$h" = "$3" ] || { rm -f "$1/.$4.$2"; exit ${DAMAGED}; }
mv -f "$1/.$4.$2" "$1/$2" && echo ok`;
/** FOLDER: which parts are there */
const PARTS = 'if [ -d "$1" ]; then ls "$1"; fi && echo ok';
/** PATH SHA256 UNIQUE FOLDER COUNT. Another sender may remove the folder at the same time: of that busybox's `rm -rf` complains. */
const JOIN = `${PRELUDE}if [ -f "$1" ] && sum "$1" && [ "$h" = "$2" ]; then echo ok; exit; fi
i=0
while [ "$i" -lt "$5" ]; do cat "$4/$i" || exit ${DAMAGED}; i=$((i + 1)); done | gzip -dc >"$1.$3.part" && sum "$1.$3.part"
[ "$h" = "$2" ] || { rm -rf "$1.$3.part" "$4" 2>/dev/null; exit ${DAMAGED}; }
mv -f "$1.$3.part" "$1" && { rm -rf "$4" 2>/dev/null || :; } && echo ok`;

/**
 * Puts a whole file into a pod: compressed, in chunks that are arguments of short commands (stdin of an exec is not to be
 * trusted). A transfer that broke goes on where it stopped, by whomever: parts lie in a folder named by the hash.
 * Readers see all of the file or nothing of it. Rejects with a CapsuleError, `disk-full` where there is no room.
 */
export async function sendFile(run: RunInPod, path: string, content: Buffer): Promise<void> {
  const sha256 = hash(content);
  const packed = await promisify(gzip)(content, { level: 6 });
  for (let round = 1; ; round++) {
    const damaged =
      packed.length <= CHUNK_BYTES
        ? await sendWhole(run, path, sha256, packed)
        : await sendParts(run, path, sha256, packed);
    if (!damaged) return;
    if (round === ROUNDS) {
      throw new CapsuleError('transport', `${path} arrived damaged in the pod ${ROUNDS} times.`);
    }
  }
}

function sendWhole(run: RunInPod, path: string, sha256: string, packed: Buffer): Promise<boolean> {
  return isDamaged(run, path, WHOLE, [path, sha256, randomUUID(), packed.toString('base64')]);
}

async function sendParts(run: RunInPod, path: string, sha256: string, packed: Buffer): Promise<boolean> {
  const folder = `${path}.${hash(packed).slice(0, 16)}.parts`;
  const count = Math.ceil(packed.length / CHUNK_BYTES);
  const there = new Set(await partsThere(run, path, folder));
  const missing = Array.from({ length: count }, (_, index) => index).filter((i) => !there.has(String(i)));
  const send = async (): Promise<void> => {
    for (let index = missing.shift(); index !== undefined; index = missing.shift()) {
      const part = packed.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
      const facts = [folder, String(index), hash(part), randomUUID(), part.toString('base64')];
      // A part that does not arrive whole is missed when all are joined.
      await isDamaged(run, path, PART, facts).catch((error: unknown) => {
        missing.length = 0;
        throw error;
      });
    }
  };
  // All of them: none may go on behind a caller who was told that it failed.
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, send));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return isDamaged(run, path, JOIN, [path, sha256, randomUUID(), folder, String(count)]);
}

async function partsThere(run: RunInPod, path: string, folder: string): Promise<readonly string[]> {
  const { code, stdout, stderr } = await run(['sh', '-c', PARTS, 'sh', folder], DEADLINE_MS);
  if (code !== 0) throw failure(path, code, stderr);
  return stdout.toString().split('\n');
}

/** Throws for what sending again does not mend. */
async function isDamaged(
  run: RunInPod,
  path: string,
  script: string,
  facts: readonly string[],
): Promise<boolean> {
  const { code, stdout, stderr } = await run(['sh', '-c', script, 'sh', ...facts], DEADLINE_MS);
  if (stdout.toString() === 'ok\n') return false;
  if (/no space left|disk quota/i.test(stderr)) throw failure(path, code, stderr);
  if (code === DAMAGED || code === 0) return true;
  throw failure(path, code, stderr);
}

function failure(path: string, code: number, stderr: string): CapsuleError {
  const full = /no space left|disk quota/i.test(stderr);
  const why = full
    ? 'the disk is full; free space and launch again'
    : `the pod says (${code}) ${stderr.trim().slice(0, 300)}`;
  return new CapsuleError(full ? 'disk-full' : 'transport', `${path} cannot be written: ${why}.`);
}

function hash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
