import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Check, checksText, fail, look, ok, verdictText, warn } from '../../src/cli/doctor/check.ts';
import { labChecks } from '../../src/cli/doctor/labs.ts';
import { coresCheck, countersCheck, dirtyCheck } from '../../src/cli/doctor/machine.ts';
import { defaultPlan, isWholeJar } from '../../src/cli/doctor/programs.ts';
import { resolveHome } from '../../src/lab/home.ts';
import { machineLease } from '../../src/lab/lease.ts';
import { InfrastructureError } from '../../src/lab/errors.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-doctor-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const env = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  HOME: dir,
  ASSAY_HOME: join(dir, 'home'),
  ASSAY_MACHINE_DIR: join(dir, 'machine'),
  ASSAY_TEMPORAL_PORT: '47833',
  ...more,
});

async function doctor(more: Record<string, string> = {}, ...args: string[]) {
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    execFile(process.execPath, [BIN, 'doctor', ...args], { env: env(more) }, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout }),
    );
  });
  return { code, stdout };
}

async function checks(more: Record<string, string> = {}) {
  const { code, stdout } = await doctor(more, '--json');
  const answer = JSON.parse(stdout) as { format: 1; ok: boolean; checks: Check[] };
  expect(answer.format).toBe(1);
  expect(code).toBe(answer.ok ? 0 : 5);
  const of = (id: string) => answer.checks.filter((check) => check.id === id);
  return { ...answer, of };
}

describe('assay doctor', () => {
  it('looks at the whole chain, each line with its mark first, and makes nothing', async () => {
    const { stdout } = await doctor();
    const ids = stdout.split('\n').flatMap((line) => /^[✓!✗] (\S+(?: \S+)?) {2}/.exec(line)?.[1] ?? []);
    expect(ids).toEqual(
      expect.arrayContaining([
        'node',
        'bash',
        'awk',
        'java',
        'kafka',
        'home',
        'disk',
        'memory',
        'cores',
        'clock',
      ]),
    );
    expect(ids).toEqual(
      expect.arrayContaining([
        'dirty pages',
        'counters',
        'loopback',
        'ports',
        'temporal',
        'worker',
        'lease',
        'labs',
      ]),
    );
    expect(readdirSync(dir)).toEqual([]);
  });

  it('tells every failure with its fix, and exits with 5', async () => {
    writeFileSync(join(dir, 'home'), 'a file');
    const { ok: good, of } = await checks({
      JAVA_HOME: join(dir, 'none'),
      TEMPORAL_ADDRESS: 'http://t:7233',
      PATH: dir,
    });
    expect(good).toBe(false);
    for (const [id, says] of [
      ['java', 'JAVA_HOME is'],
      ['kafka', 'no mvn was found'],
      ['bash', 'none was found on the PATH'],
      ['awk', 'none was found on the PATH'],
      ['home', 'is a file'],
      ['temporal', 'no host:port'],
    ] as const) {
      expect(of(id), id).toEqual([
        { id, state: 'fail', says: expect.stringContaining(says), fix: expect.stringMatching(/\w{3}/) },
      ]);
    }
  });

  it('finds a jar that was cut short', async () => {
    const libs = join(dir, 'kafka', 'libs');
    mkdirSync(libs, { recursive: true });
    const version = defaultPlan().lab.brokers.kafka;
    writeFileSync(join(libs, `kafka-clients-${version}.jar`), 'PK\u0003\u0004 cut');
    const { of } = await checks({ KAFKA_HOME: join(dir, 'kafka') });
    expect(of('kafka')).toMatchObject([
      { state: 'fail', says: expect.stringContaining(`broken jars: kafka-clients-${version}.jar`) },
    ]);
  });

  it('says who has the port of the embedded Temporal', async () => {
    const foreign = createServer();
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    try {
      const port = (foreign.address() as { port: number }).port;
      const { of } = await checks({ ASSAY_TEMPORAL_PORT: String(port) });
      expect(of('temporal')).toMatchObject([
        {
          state: 'fail',
          says: expect.stringContaining(`Port ${port}`),
          fix: expect.stringContaining('TEMPORAL_ADDRESS='),
        },
      ]);
    } finally {
      foreign.close();
    }
  });

  it('says that a configured Temporal does not answer', async () => {
    const { of } = await checks({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
    expect(of('temporal')).toMatchObject([
      { state: 'fail', says: expect.stringContaining('no Temporal answers at 127.0.0.1:1') },
    ]);
    expect(of('temporal cli')).toMatchObject([{ state: 'ok', says: expect.stringContaining('not needed') }]);
  });
});

describe('labs and the lease', () => {
  const see = async (id: string) => {
    const all = await labChecks(resolveHome(env()), env(), null);
    return all.find((check) => check.id === id);
  };

  it('names who measures, and a stale lease whose lab still runs', async () => {
    const labFolder = join(dir, 'home', 'labs', 'codec-1');
    const holder = { experimentKey: 'codec-1', workflowId: 'codec', labFolder };
    expect(await see('lease')).toMatchObject({ state: 'ok', says: 'nobody measures here now' });
    await machineLease(join(dir, 'machine')).acquire(holder);
    expect(await see('lease')).toMatchObject({
      state: 'ok',
      says: expect.stringContaining('codec (codec-1) measures'),
    });
    await machineLease(join(dir, 'machine'), -1000).renew('codec-1');
    expect(await see('lease')).toMatchObject({
      state: 'ok',
      says: expect.stringContaining('nothing of its lab runs'),
    });
    const broker = spawn('sleep', ['600'], { env: { ...env(), ASSAY_LAB: labFolder } });
    try {
      await expect
        .poll(() => see('lease'))
        .toMatchObject({
          state: 'warn',
          says: expect.stringContaining(`still run: ${broker.pid}`),
        });
      expect(await see('labs')).toMatchObject({
        state: 'warn',
        says: expect.stringContaining(`${labFolder} (processes ${broker.pid})`),
      });
    } finally {
      broker.kill('SIGKILL');
    }
  });

  it('names a lab folder that lies there with nothing running in it', async () => {
    mkdirSync(join(dir, 'home', 'labs', 'old-1'), { recursive: true });
    expect(await see('labs')).toMatchObject({
      state: 'warn',
      says: expect.stringContaining('old-1 (nothing of it runs)'),
    });
  });
});

describe('single checks', () => {
  it.each([
    [[0, 1, 2, 3], 'ok', 'pinned apart'],
    [[0, 1], 'ok', 'share them'],
    [[5], 'warn', 'share one core'],
  ] as const)('cores %j: %s, %s', (cores, state, says) => {
    expect(coresCheck(cores, 'auto')).toMatchObject({ state, says: expect.stringContaining(says) });
  });

  it.each([
    [{ dirty_ratio: 20, dirty_background_ratio: 10 }, 'ok', 'from 20 % of memory'],
    [{ dirty_bytes: 16 * 1024 ** 2 }, 'warn', 'from 16 MiB'],
    [{ dirty_ratio: 90, dirty_background_ratio: 50 }, 'warn', 'before anything reaches the disk'],
  ])('dirty %j: %s, %s', (values, state, says) => {
    const read = (name: string) => String((values as Record<string, number>)[name] ?? 0);
    expect(dirtyCheck(read)).toMatchObject({ state, says: expect.stringContaining(says) });
  });

  it.each([
    [[], 'ok', 'can be read'],
    [['/sys/fs/cgroup/cgroup.controllers'], 'warn', 'cgroup v2'],
    [['/proc/pressure/io'], 'warn', 'PSI'],
    [['/proc/meminfo'], 'fail', '/proc/meminfo'],
  ])('counters without %j: %s, %s', (missing, state, says) => {
    const exists = (path: string) => !missing.includes(path);
    expect(countersCheck(exists)).toMatchObject({ state, says: expect.stringContaining(says) });
  });

  it('knows a whole zip, and one that was cut or has something after its end', () => {
    const end = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]);
    const jar = (content: Buffer) => {
      writeFileSync(join(dir, 'x.jar'), content);
      return isWholeJar(join(dir, 'x.jar'));
    };
    expect(jar(Buffer.concat([Buffer.alloc(100_000, 1), end]))).toBe(true);
    expect(jar(Buffer.concat([end, Buffer.alloc(5)]))).toBe(false);
    expect(jar(end.subarray(0, 10))).toBe(false);
    expect(jar(Buffer.alloc(0))).toBe(false);
  });

  it('never falls over: an error with a fix is a failure, any other one says so', async () => {
    const seen = await look('x', () => Promise.reject(new InfrastructureError('c', 'what', 'do this')));
    expect(seen).toEqual(fail('x', 'what', 'do this'));
    const odd = await look('x', () => {
      throw new Error('odd\n    at stack');
    });
    expect(odd).toMatchObject({ state: 'fail', says: 'it could not be looked at: odd' });
  });

  it('is text with the mark first and the fix below, and nothing a terminal obeys', () => {
    const all = [ok('a', 'good'), warn('bc', 'so\u001b[2J', 'do'), fail('d', 'bad\nsecond', 'mend')];
    expect(checksText(all)).toBe(
      '✓ a   good\n! bc  so<U+001B>[2J\n      → do\n✗ d   bad\n      second\n      → mend\n',
    );
    expect(verdictText(all)).toBe('1 failure, 1 warning.');
    expect(verdictText(all.slice(0, 1))).toBe('All is well.');
    expect(existsSync(join(dir, 'home'))).toBe(false);
  });
});
