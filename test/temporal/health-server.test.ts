import { afterEach, describe, expect, it } from 'vitest';
import { InfrastructureError } from '../../src/lab/errors.ts';
import { type Health, type HealthServer, startHealthServer } from '../../src/temporal/health-server.ts';
import { type ListenAddress, listenAddress } from '../../src/temporal/listen-address.ts';
import { workerHealth } from '../../src/temporal/worker-health.ts';

const ANY: ListenAddress = { host: '127.0.0.1', port: 0, text: '127.0.0.1:0' };
const WELL: Health = { live: () => null, ready: async () => Promise.resolve(null) };
const servers: HealthServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function asking(health: Health): Promise<(path: string, init?: RequestInit) => Promise<string>> {
  const server = await startHealthServer(ANY, health);
  servers.push(server);
  return async (path, init = {}) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    return `${response.status} ${(await response.text()).trim()}`;
  };
}

describe('the health server', () => {
  it('says ok when all is well', async () => {
    const ask = await asking(WELL);
    expect(await ask('/livez')).toBe('200 ok');
    expect(await ask('/readyz?verbose')).toBe('200 ok');
  });

  it('says why not', async () => {
    const ask = await asking({ live: () => 'it has failed', ready: async () => Promise.resolve('starting') });
    expect(await ask('/livez')).toBe('503 it has failed');
    expect(await ask('/readyz')).toBe('503 starting');
  });

  it('answers no when the question throws', async () => {
    const ask = await asking({ ...WELL, ready: async () => Promise.reject(new Error('no way')) });
    expect(await ask('/readyz')).toBe('503 no way');
  });

  it('answers no, and in time, when the question is not answered', async () => {
    const ask = await asking({ ...WELL, ready: () => new Promise(() => undefined) });
    expect(await ask('/readyz')).toMatch(/^503 no answer within/);
    expect(await ask('/livez')).toBe('200 ok');
  });

  it('has two pages, to read', async () => {
    const ask = await asking(WELL);
    expect(await ask('/')).toMatch(/^404/);
    expect(await ask('/livez', { method: 'POST' })).toMatch(/^405/);
  });

  it('says what to do when its port is taken', async () => {
    const first = await startHealthServer(ANY, WELL);
    servers.push(first);
    const taken = { ...ANY, port: first.port, text: `127.0.0.1:${first.port}` };
    const error: unknown = await startHealthServer(taken, WELL).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InfrastructureError);
    expect((error as Error).message).toContain(`cannot listen on ${taken.text}: EADDRINUSE`);
  });
});

describe('an address to listen on', () => {
  it.each([
    ['0.0.0.0:8086', { host: '0.0.0.0', port: 8086 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['[::]:9464', { host: '::', port: 9464 }],
  ])('%s is one', (text, expected) => {
    expect(listenAddress('V', { V: text })).toEqual({ ...expected, text });
  });

  it.each([undefined, ''])('%j asks for none', (text) => {
    expect(listenAddress('V', { V: text })).toBeNull();
  });

  it.each([
    '8086',
    ':8086',
    'localhost:8086',
    '0.0.0.0',
    '1.2.3.4:70000',
    '::1:80',
    '[1.2.3.4]:80',
    '1.2.3.4:x',
  ])('%s is none, and is said to be', (text) => {
    expect(() => listenAddress('ASSAY_HEALTH_ADDRESS', { ASSAY_HEALTH_ADDRESS: text })).toThrow(
      `ASSAY_HEALTH_ADDRESS is "${text}", which is no address to listen on.`,
    );
  });
});

describe('the health of workers', () => {
  type Watched = Parameters<ReturnType<typeof workerHealth>['watch']>[0][number];
  const worker = (taskQueue: string, changes: object = {}): Watched => ({
    options: { taskQueue },
    getStatus: () =>
      ({
        runState: 'RUNNING',
        activityPollerState: 'POLLING',
        workflowPollerState: 'POLLING',
        ...changes,
      }) as ReturnType<Watched['getStatus']>,
  });
  const answers = async () => Promise.resolve();

  it('is live and not ready while there are none yet', async () => {
    const health = workerHealth();
    expect(health.live()).toBeNull();
    expect(await health.ready()).toBe('starting');
  });

  it('is ready when all of them poll and the server answers', async () => {
    const health = workerHealth();
    health.watch([worker('assay'), worker('assay-host-1', { workflowPollerState: 'SHUTDOWN' })], answers);
    expect([health.live(), await health.ready()]).toEqual([null, null]);
    health.watch([worker('assay')], async () => Promise.reject(new Error('gone\nat x')));
    expect([health.live(), await health.ready()]).toEqual([null, 'Temporal does not answer: gone']);
  });

  it.each([
    { runState: 'STOPPING' },
    { runState: 'DRAINING' },
    { activityPollerState: 'SHUTDOWN' },
    { workflowPollerState: 'FAILED' },
  ])('takes no work any more and lives: %j', async (changes) => {
    const health = workerHealth();
    health.watch([worker('assay'), worker('assay-host-1', changes)], answers);
    expect(health.live()).toBeNull();
    expect(await health.ready()).toContain('the worker of assay-host-1 takes no work');
  });

  it('is dead when one has failed', () => {
    const health = workerHealth();
    health.watch([worker('assay', { runState: 'FAILED' })], answers);
    expect(health.live()).toBe('the worker of assay has failed');
  });
});
