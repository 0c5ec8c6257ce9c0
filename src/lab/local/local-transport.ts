import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CapsuleError } from '../capsule/capsule-error.ts';
import { peekLocally } from './local-peek.ts';
import type { ExecResult, Transport } from '../transport.ts';

/** Commands as processes of this machine. */
export function createLocalTransport(env: NodeJS.ProcessEnv = process.env): Transport {
  return {
    exec: (argv, deadlineMs) => execLocally(argv, deadlineMs, env),
    detach: (argv) => detachLocally(argv, env),
    write: writeWhole,
    peek: peekLocally,
  };
}

function execLocally(
  argv: readonly string[],
  deadlineMs: number,
  env: NodeJS.ProcessEnv,
): Promise<ExecResult> {
  const [command = '', ...rest] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      if (child.pid !== undefined) killGroup(child.pid);
      reject(
        new CapsuleError(
          'transport',
          `\`${argv.slice(0, 4).join(' ')}\` did not end within ${deadlineMs} ms.`,
        ),
      );
    }, deadlineMs);
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (cause) => {
      clearTimeout(timer);
      reject(new CapsuleError('transport', `${command} cannot be run: ${cause.message}.`, { cause }));
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout: Buffer.concat(chunks) });
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

/** In a session of its own and without our streams: it survives even SIGKILL of us. */
function detachLocally(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const [command = '', ...rest] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { env, detached: true, stdio: 'ignore' });
    child.on('error', (cause) =>
      reject(new CapsuleError('transport', `${command} cannot be run: ${cause.message}.`, { cause })),
    );
    child.on('spawn', () => {
      child.unref();
      resolve();
    });
  });
}

/** Written beside its place and renamed. Only its owner may read it: a launch file can hold secrets. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw writeError(path, cause as NodeJS.ErrnoException);
  }
}

function writeError(path: string, cause: NodeJS.ErrnoException): CapsuleError {
  const full = cause.code === 'ENOSPC' || cause.code === 'EDQUOT';
  const why = full ? 'the disk is full; free space and launch again' : cause.message;
  return new CapsuleError(full ? 'disk-full' : 'transport', `${path} cannot be written: ${why}.`, { cause });
}
