import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VERSION = '5.2.5';
const PACKAGES = [`moto[ec2,s3,cloudwatch]==${VERSION}`, 'flask==3.1.3', 'flask-cors==6.0.5'];

/** An AWS that is emulated: EC2, S3 and CloudWatch of one account, empty. */
export interface Moto {
  /** `http://127.0.0.1:34567` */
  readonly url: string;
  /** Forgets everything. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** Where it listens, and as which group; left out: the loopback, a port of its own choice, the caller's group. */
export interface MotoPlace {
  readonly host?: string;
  readonly port?: number;
  readonly gid?: number;
}

/** Starts moto; made ready once in a cache folder (about 30 s and 140 MB the first time). */
export async function startMoto(place: MotoPlace = {}): Promise<Moto> {
  const { host = '127.0.0.1', port = 0, gid } = place;
  const python = join(await motoFolder(), 'bin', 'python');
  const server = spawn(python, ['-m', 'moto.server', '-H', host, '-p', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(gid === undefined ? {} : { gid }),
    env: { ...process.env, PYTHONUNBUFFERED: '1' },
  });
  const url = await urlOf(server);
  const reset = async () => {
    const answer = await fetch(`${url}/moto-api/reset`, { method: 'POST' });
    if (!answer.ok) throw new Error(`moto did not reset: ${answer.status}`);
  };
  return { url, reset, stop: () => ended(server) };
}

/** What the SDK needs to ask it and nobody else; any credentials do. */
export function awsEnvironment(url: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'ap-northeast-2',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
}

/** A virtual environment with moto in it. Safe when called side by side: the last step is a rename. */
async function motoFolder(): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, `assay-moto-${VERSION}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  await mkdir(dirname(draft), { recursive: true });
  await run('python3', ['-m', 'venv', draft]);
  await run(join(draft, 'bin', 'python'), ['-m', 'pip', 'install', '-q', ...PACKAGES]);
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

/** From the line in which its web server says where it runs; all later output is read and dropped. */
async function urlOf(server: ChildProcess): Promise<string> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`moto ended with ${code}:\n${said.join('\n')}`)));
    createInterface({ input: server.stderr! }).on('line', (line) => {
      said.push(line);
      const url = /Running on (http:\/\/[\d.]+:\d+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await exit;
}
