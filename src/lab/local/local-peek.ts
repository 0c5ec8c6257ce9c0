import { open, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseExit } from '../capsule/answer.ts';
import type { PollAnswer } from '../capsule/answer.ts';
import type { CapsulePoll } from '../host.ts';

/**
 * What the script's `poll` says, read from the files: a poll by bash costs some 20 ms of CPU, which a measured
 * machine would feel each second. Says null when the capsule looks lost: only the script kills and proves.
 */
export async function peekLocally(
  folder: string,
  from: { stdout: number; stderr: number },
  maxBytes: number,
): Promise<PollAnswer | null> {
  const claim = parseClaim(await textOf(join(folder, 'claim')));
  // Exit is looked at again after death was seen: the runner may have written it between the two looks.
  let exit = await textOf(join(folder, 'exit'));
  const lives = claim !== null && exit === null && (await alive(claim));
  if (claim !== null && exit === null && !lives) {
    exit = await textOf(join(folder, 'exit'));
    if (exit === null) return null;
  }
  const child = (await textOf(join(folder, 'child')))?.trim().split(' ').map(Number);
  const stdout = await newBytes(join(folder, 'stdout'), from.stdout, maxBytes);
  const stderr = await newBytes(join(folder, 'stderr'), from.stderr, maxBytes);
  const poll: CapsulePoll = {
    state: claim === null ? 'absent' : exit === null ? 'running' : 'exited',
    stdout,
    stderr,
    next: { stdout: from.stdout + stdout.length, stderr: from.stderr + stderr.length },
    claim,
    child: claim === null || child === undefined ? null : { pid: child[0] ?? 0, startTicks: child[1] ?? 0 },
    exit: claim === null || exit === null ? null : parseExit(exit.split('\n').map((line) => line.trim())),
  };
  return { poll, refused: claim === null ? await refusals(folder) : [] };
}

function parseClaim(text: string | null): NonNullable<CapsulePoll['claim']> | null {
  if (text === null) return null;
  const [pid, startTicks, bootId = ''] = text.trim().split(' ');
  return { pid: Number(pid), startTicks: Number(startTicks), bootId };
}

/** As `alive` in processes.sh: state and start time, because `kill -0` calls zombies alive. */
async function alive(claim: NonNullable<CapsulePoll['claim']>): Promise<boolean> {
  const bootId = (await textOf('/proc/sys/kernel/random/boot_id'))?.trim();
  const stat = await textOf(`/proc/${claim.pid}/stat`);
  if (stat === null || bootId !== claim.bootId) return false;
  // The command name may hold spaces and parentheses: fields start after the last ") ".
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
  return !'ZXx'.includes(fields[0] ?? 'X') && Number(fields[19]) === claim.startTicks;
}

async function refusals(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.startsWith('refused.')).map((name) => name.slice('refused.'.length));
}

/** null: no such file, or no such process any more. */
async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'ENOTDIR') return null;
    throw error;
  }
}

async function newBytes(path: string, offset: number, maxBytes: number): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.max(0, Math.min(size - offset, maxBytes)));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
