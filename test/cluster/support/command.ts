import {
  type ChildProcessWithoutNullStreams,
  type SpawnOptionsWithoutStdio,
  spawn,
} from 'node:child_process';
import { clusterRun, TESTS_ID } from './run.ts';

/** How a command ended. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandOptions {
  readonly input?: string;
  readonly limitMs?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a command to its end, whatever its exit code. Killed after `limitMs` (60 s). */
export async function run(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Ended> {
  const child = spawn(command, args, { stdio: 'pipe', env: options.env ?? process.env });
  return endOf(child, options.limitMs ?? 60_000, options.input);
}

/** What a process says until it ends. Killed after `limitMs`. */
export async function endOf(
  child: ChildProcessWithoutNullStreams,
  limitMs: number,
  input = '',
): Promise<Ended> {
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const text = (stream: NodeJS.ReadableStream) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    return () => Buffer.concat(parts).toString('utf8');
  };
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  child.stdin.on('error', () => undefined); // it may end without reading
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearTimeout(timer));
  return { code, stdout: stdout(), stderr: stderr() };
}

/** kubectl as administrator. Throws with what it said unless it exits with 0. */
export async function kubectl(args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const ended = await run('kubectl', ['--kubeconfig', clusterRun().kubeconfig, ...args], options);
  if (ended.code !== 0)
    throw new Error(`kubectl ${args.join(' ')}: exit ${ended.code}\n${ended.stderr}${ended.stdout}`);
  return ended.stdout;
}

/** `kubectl get … -o json`, parsed. */
export async function get<T>(...args: readonly string[]): Promise<T> {
  return JSON.parse(await kubectl(['get', ...args, '-o', 'json'])) as T;
}

/** Starts a process as the user of workers under test: no packet of it reaches a pod. */
export function spawnAsWorker(
  command: string,
  args: readonly string[],
  options: SpawnOptionsWithoutStdio,
): ChildProcessWithoutNullStreams {
  return spawn(command, args, { ...options, uid: TESTS_ID, gid: TESTS_ID });
}
