import { spawn } from 'node:child_process';

/** How a process ended, and how long it took from being started until it was gone. */
export interface Ended {
  readonly code: number | null;
  readonly wallMs: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Aborted, the program is asked to end (SIGTERM), and waited for. */
  readonly signal?: AbortSignal;
}

/** Runs a program to its end; its exit code is the caller's to judge. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const { signal, ...place } = options;
    const child = spawn(program, args, { ...place, stdio: ['ignore', 'pipe', 'pipe'] });
    signal?.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, wallMs: performance.now() - from, stdout, stderr }));
  });
}

/** Runs a program that must end with one of these codes. */
export async function runWell(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
  codes: readonly number[] = [0],
): Promise<Ended> {
  const ended = await run(program, args, options);
  if (ended.code !== null && codes.includes(ended.code)) return ended;
  const said = (ended.stderr || ended.stdout).trim().split('\n').slice(-12).join('\n');
  throw new Error(`${program} ${args.join(' ').slice(0, 200)} ended with ${String(ended.code)}:\n${said}`);
}
