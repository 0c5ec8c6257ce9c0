import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { liveClaim, type Claim } from '../../src/temporal/claims.ts';
import { chooseTemporal } from '../../src/temporal/connection.ts';
import { isPortFree, isServing } from '../../src/temporal/health.ts';
import { isAlive } from '../../src/temporal/process-identity.ts';
import { ensureUp, livingProcesses, readState, takeDown } from '../../src/temporal/up.ts';
import { MAIN, testHome, until } from './support.ts';

let home: Awaited<ReturnType<typeof testHome>>;
let folder: string;

beforeEach(async () => {
  home = await testHome();
  folder = join(home.home, 'temporal');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(readFileSync(join(folder, 'supervisor.log')));
  await home.remove();
});

const up = () => ensureUp(chooseTemporal(home.env), home.env, () => {});
const live = (name: string) => liveClaim(folder, name);
const serving = () => isServing(`127.0.0.1:${home.port}`);
const running = (name: string) => until(`${name} runs`, () => live(name));
const another = (old: Claim, name: string) =>
  until(`another ${name}`, () => {
    const claim = live(name);
    return claim !== null && claim.pid !== old.pid ? claim : null;
  });

describe('supervisor', () => {
  it('is one for a home, however many are started at once', async () => {
    const others = [1, 2, 3].map(() =>
      spawn(process.execPath, [MAIN, 'supervise'], { env: { ...home.env }, stdio: 'ignore' }),
    );
    try {
      await Promise.all([up(), up()]);
      await running('worker');
      const supervisor = await running('supervisor');
      // The winner may be one of the three or one that `up` started.
      const losers = others.filter(({ pid }) => pid !== supervisor.pid);
      await until('the losers ended', () => losers.every(({ exitCode }) => exitCode === 0));
      expect(live('supervisor')?.pid).toBe(supervisor.pid);
      expect(readdirSync(folder).filter((file) => /^(server|worker)\..*claim$/.test(file))).toHaveLength(2);
    } finally {
      for (const child of others) child.kill('SIGTERM');
    }
  });

  it('starts the server and the worker again when they are killed', async () => {
    await up();
    const server = await running('server');
    const worker = await running('worker');
    process.kill(server.pid, 'SIGKILL');
    process.kill(worker.pid, 'SIGKILL');
    await another(server, 'server');
    await another(worker, 'worker');
    await until('serving again', serving);
  });

  it('adopts what a killed supervisor left, and keeps it alive', async () => {
    await up();
    const [supervisor, server, worker] = [
      await running('supervisor'),
      await running('server'),
      await running('worker'),
    ];
    process.kill(supervisor.pid, 'SIGKILL');
    await until('the supervisor is dead', () => !isAlive(supervisor));
    expect(isAlive(server) && isAlive(worker)).toBe(true);
    await up();
    expect((await running('supervisor')).pid).not.toBe(supervisor.pid);
    await until(
      'it knows both',
      () => readState(folder)?.worker.pid === worker.pid && readState(folder)?.server?.pid === server.pid,
    );
    expect([live('server')?.pid, live('worker')?.pid]).toEqual([server.pid, worker.pid]);
    process.kill(worker.pid, 'SIGKILL');
    await another(worker, 'worker');
  });

  it('starts a server again that lives but does not answer', async () => {
    home.env = { ...home.env, ASSAY_SERVER_HUNG_MS: '2000' };
    await up();
    const server = await running('server');
    process.kill(server.pid, 'SIGSTOP');
    await another(server, 'server');
    expect(isAlive(server)).toBe(false);
    await until('serving again', serving);
  });

  it('leaves nothing behind when it is taken down, even when it was killed before', async () => {
    await up();
    const processes = [await running('supervisor'), await running('server'), await running('worker')];
    process.kill(processes[0]?.pid ?? 0, 'SIGKILL');
    await takeDown(home.env);
    expect(processes.filter(isAlive)).toEqual([]);
    expect(livingProcesses(home.env)).toEqual([]);
    expect(await isPortFree('127.0.0.1', home.port)).toBe(true);
    expect(existsSync(join(folder, 'temporal.db'))).toBe(true);
  });

  it('ends by itself with all it keeps when its home is deleted', async () => {
    await up();
    const processes = [await running('supervisor'), await running('server'), await running('worker')];
    rmSync(home.home, { recursive: true, force: true });
    await until('all are dead', () => !processes.some(isAlive));
  });

  it('refuses a port on which somebody else listens, and starts nothing', async () => {
    const foreign = createServer().listen(home.port, '127.0.0.1');
    await new Promise((resolve) => foreign.once('listening', resolve));
    try {
      await expect(up()).rejects.toMatchObject({
        code: 'port-taken',
        fix: expect.stringMatching(/TEMPORAL_ADDRESS=.*ASSAY_TEMPORAL_PORT/),
      });
      expect(livingProcesses(home.env)).toEqual([]);
    } finally {
      foreign.close();
    }
  });

  it('says so when the home already serves another Temporal', async () => {
    await up();
    const other = { ...home.env, TEMPORAL_ADDRESS: '127.0.0.1:1' };
    await expect(ensureUp(chooseTemporal(other), other, () => {})).rejects.toMatchObject({
      code: 'other-temporal',
    });
  });
});
