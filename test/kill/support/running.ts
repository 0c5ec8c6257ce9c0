import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { liveClaim } from '../../../src/temporal/claims.ts';
import type { ExperimentResult, ExperimentStatus } from '../../../src/temporal/status.ts';
import { privateHome, type PrivateHome } from '../../support/private-home.ts';

const run = promisify(execFile);
const ASSAY = fileURLToPath(new URL('../../../bin/assay.js', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An Assay of a test's own: its home, its Temporal, its worker, as a user would have them. */
export interface Running {
  readonly own: PrivateHome;
  /** Of the Temporal server. */
  readonly address: string;
  assay(...args: string[]): Promise<Ended>;
  /** The same, for a command that goes on: what it has said on stderr so far, and its end. */
  follow(...args: string[]): { said(): string; ended: Promise<Ended> };
  /** A client of the home's Temporal; connects anew after the server was killed. */
  client(): Promise<Client>;
  pid(service: 'server' | 'worker' | 'supervisor'): number | null;
  status(id: string): Promise<ExperimentStatus>;
  result(id: string): Promise<ExperimentResult>;
  close(): Promise<void>;
}

/** @param temporal address of another home's server; undefined = a server of its own. */
export async function running(temporal?: string): Promise<Running> {
  const own = await privateHome();
  const address = temporal ?? `127.0.0.1:${own.temporalPort}`;
  if (temporal !== undefined) own.env['TEMPORAL_ADDRESS'] = temporal;
  const follow: Running['follow'] = (...args) => {
    const going = run(process.execPath, [ASSAY, ...args], { env: own.env, maxBuffer: 64 * 1024 * 1024 });
    let said = '';
    going.child.stderr?.on('data', (text: string) => (said += text));
    const ended = going.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code?: number; stdout: string; stderr: string }) => ({
        code: typeof error.code === 'number' ? error.code : -1,
        stdout: error.stdout,
        stderr: error.stderr,
      }),
    );
    return { said: () => said, ended };
  };
  const assay = (...args: string[]): Promise<Ended> => follow(...args).ended;
  let connection: Connection | null = null;
  const client = async (): Promise<Client> => {
    connection ??= await Connection.connect({
      address,
      connectTimeout: 30_000,
    });
    return new Client({ connection });
  };
  const up = await assay('up');
  if (up.code !== 0) throw new Error(`assay up failed: ${up.stderr}`);
  return {
    own,
    address,
    assay,
    follow,
    client,
    pid: (service) => liveClaim(own.home.temporal, service)?.pid ?? null,
    status: async (id) =>
      patiently(async () => (await client()).workflow.getHandle(id).query<ExperimentStatus>('status')),
    result: async (id) =>
      patiently(async () => (await client()).workflow.getHandle(id).result() as Promise<ExperimentResult>),
    close: async () => {
      await connection?.close();
      await assay('down');
      own.remove();
    },
  };
}

/** Asks again while server or worker are away. */
export async function patiently<T>(ask: () => Promise<T>, limitMs = 120_000): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > end || (error instanceof Error && error.name === 'WorkflowFailedError')) throw error;
      await delay(200);
    }
  }
}

/** Waits for a condition; says what it waited for when time is up. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  limitMs = 180_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`waited ${limitMs / 1000} s in vain: ${what}`);
    await delay(25);
  }
}
