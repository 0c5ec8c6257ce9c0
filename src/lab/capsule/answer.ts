import { createHash } from 'node:crypto';
import type { CapsuleExit, CapsulePoll, CapsuleState } from '../host.ts';
import { CapsuleError } from './capsule-error.ts';
import type { CapsuleErrorCode } from './capsule-error.ts';

/** `assay-frame ` or `assay-error `, 64 hex digits, newline. */
const TRAILER_BYTES = 77;

/** What poll says beyond the Host contract: launches that were turned away, as `<token>.<reason>`. */
export interface PollAnswer {
  readonly poll: CapsulePoll;
  readonly refused: readonly string[];
}

/**
 * The payload of a framed answer; null when it was cut or changed on the way (ask again).
 * Throws the CapsuleError that the script reports.
 */
export function unframe(stdout: Buffer): Buffer | null {
  const payload = stdout.subarray(0, Math.max(0, stdout.length - TRAILER_BYTES));
  const [word, hash] = stdout.subarray(payload.length).toString('latin1').split(' ');
  if (word === 'assay-needs-bash-5') {
    throw new CapsuleError('bash', `The capsule needs bash 5 or later; the host has ${String(hash).trim()}.`);
  }
  if (hash !== `${createHash('sha256').update(payload).digest('hex')}\n`) return null;
  if (word === 'assay-frame') return payload;
  if (word !== 'assay-error') return null;
  const text = payload.toString();
  const space = text.indexOf(' ');
  throw new CapsuleError(text.slice(0, space) as CapsuleErrorCode, text.slice(space + 1));
}

/** Reads the payload of `poll`: header lines, an empty line, then the new bytes of stdout and of stderr. */
export function parsePoll(payload: Buffer, from: { stdout: number; stderr: number }): PollAnswer {
  const headerEnd = payload.indexOf('\n\n');
  const lines = payload.subarray(0, headerEnd).toString().split('\n');
  const values = (key: string): string[] =>
    lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  const one = (key: string): string | undefined => values(key)[0];
  const body = payload.subarray(headerEnd + 2);
  const stdoutBytes = Number(one('stdout'));
  const stderrBytes = Number(one('stderr'));
  if (headerEnd < 0 || body.length !== stdoutBytes + stderrBytes) {
    throw new CapsuleError('transport', 'The host answered a poll with something else.');
  }
  const [claimPid, claimStart, bootId = ''] = one('claim')?.split(' ') ?? [];
  const [childPid, childStart] = one('child')?.split(' ') ?? [];
  const poll: CapsulePoll = {
    state: one('state') as CapsuleState,
    stdout: body.subarray(0, stdoutBytes),
    stderr: body.subarray(stdoutBytes),
    next: { stdout: from.stdout + stdoutBytes, stderr: from.stderr + stderrBytes },
    claim: claimPid === undefined ? null : { pid: Number(claimPid), startTicks: Number(claimStart), bootId },
    child: childPid === undefined ? null : { pid: Number(childPid), startTicks: Number(childStart) },
    exit: one('state') === 'exited' ? parseExit(values('exit')) : null,
  };
  return { poll, refused: values('refused') };
}

/** Reads the exit record: `key=value` lines, ended by `end=`. Numbers that could not be had are empty. */
export function parseExit(lines: readonly string[]): CapsuleExit {
  const fields = new Map(
    lines.map((line): [string, string] => {
      const equals = line.indexOf('=');
      return [line.slice(0, equals), line.slice(equals + 1)];
    }),
  );
  if (fields.get('format') !== '1' || !fields.has('end')) {
    throw new CapsuleError('transport', 'The exit record of a capsule is damaged or of another version.');
  }
  const number = (key: string): number => Number(fields.get(key));
  const optional = (key: string): number | null => (fields.get(key) ? number(key) : null);
  const pinned = optional('pinned');
  return {
    code: number('code'),
    by: fields.get('by') as CapsuleExit['by'],
    startedAtMs: number('startedAtMs'),
    endedAtMs: number('endedAtMs'),
    startUptimeMs: number('startUptimeMs'),
    endUptimeMs: number('endUptimeMs'),
    userCpuMs: optional('userCpuMs'),
    systemCpuMs: optional('systemCpuMs'),
    maxRssBytes: optional('maxRssBytes'),
    stdoutBytes: number('stdoutBytes'),
    stdoutCutBytes: number('stdoutCutBytes'),
    stderrBytes: number('stderrBytes'),
    stderrLines: number('stderrLines'),
    stderrCutBytes: number('stderrCutBytes'),
    stderrCounted: number('stderrCounted'),
    ...(pinned === null ? {} : { pinned: pinned === 1 }),
  };
}
