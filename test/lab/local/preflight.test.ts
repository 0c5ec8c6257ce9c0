import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/design/plan.ts';
import { resolveHome } from '../../../src/lab/home.ts';
import { findJava, javaMajor } from '../../../src/lab/local/java.ts';
import { preflight, readMachine } from '../../../src/lab/local/preflight.ts';

let dir: string;
let bin: string;
const home = () => resolveHome({ ASSAY_HOME: join(dir, 'home') });
const enough = () => ({
  ...readMachine(home()),
  freeDiskBytes: 1e12,
  availableMemoryBytes: 1e12,
  openFiles: 1e6,
  maxMapCount: 65_530,
});
const plan = {
  lab: {
    target: 'local',
    brokers: { count: 3, kafka: '4.3.1', heapBytes: 512 << 20, jit: 'full', config: {} },
    clients: { names: ['c1'], heapBytes: 256 << 20 },
    pin: true,
  },
  scenarios: [
    {
      slug: 'x',
      levels: {},
      topics: [{ name: 'main', partitions: 6000, replication: 3, config: {} }],
      loads: [{}],
    },
  ],
  estimates: { peakDiskBytes: 4 * 1024 ** 3 },
} as unknown as Plan;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-preflight-'));
  bin = join(dir, 'bin');
  mkdirSync(bin);
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** A program on the PATH of the test that prints what it is told to. */
function program(name: string, prints: string, stream: 1 | 2 = 1): void {
  const path = join(bin, name);
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' '${prints}' >&${stream}\n`);
  chmodSync(path, 0o755);
}

function goodPrograms(): void {
  program(
    'java',
    'openjdk version "21.0.3" 2024-04-16\nOpenJDK Runtime Environment (build 21.0.3+9-Debian)',
    2,
  );
  program('mvn', 'Apache Maven 3.8.7');
  program('bash', '5.2.15(1)-release');
  program('awk', '');
  program('taskset', '');
}

describe('preflight', () => {
  it('has nothing to say on a machine that fits', async () => {
    goodPrograms();
    expect(await preflight(home(), plan, { PATH: bin }, enough())).toEqual([]);
  });

  it('tells all that is missing at once, each with what to do', async () => {
    const problems = await preflight(home(), plan, { PATH: bin }, enough());
    expect(problems.map((p) => p.code)).toEqual([
      'java-missing',
      'maven-missing',
      'bash-missing',
      'awk-missing',
      'taskset-missing',
    ]);
    expect(problems.every((p) => p.fix.length > 10)).toBe(true);
    expect(problems[0]?.message).toContain('Java 17 or newer is needed');
    expect(problems[0]?.fix).toContain('apt install openjdk-17');
  });

  it('names the versions of what is too old', async () => {
    program('java', 'java version "1.8.0_412"', 2);
    program('mvn', 'Apache Maven 3.3.9');
    program('bash', '3.2.57(1)-release');
    program('awk', '');
    program('taskset', '');
    const messages = (await preflight(home(), plan, { PATH: bin }, enough())).map((p) => p.message);
    expect(messages).toHaveLength(3);
    expect(messages[0]).toContain('found 1.8.0_412 at');
    expect(messages[1]).toContain('found Apache Maven 3.3');
    expect(messages[2]).toContain('found 3.2.57(1)-release');
  });

  it('needs no Maven with KAFKA_HOME, but the version of the plan there', async () => {
    goodPrograms();
    rmSync(join(bin, 'mvn'));
    const kafka = join(dir, 'kafka');
    mkdirSync(join(kafka, 'libs'), { recursive: true });
    const check = () => preflight(home(), plan, { PATH: bin, KAFKA_HOME: kafka }, enough());
    expect((await check()).map((p) => p.code)).toEqual(['kafka-home']);
    writeFileSync(join(kafka, 'libs', 'kafka-clients-3.9.0.jar'), '');
    expect((await check())[0]).toMatchObject({
      code: 'kafka-version',
      fix: expect.stringContaining('Set lab.brokers.kafka to 3.9.0') as string,
    });
    rmSync(join(kafka, 'libs', 'kafka-clients-3.9.0.jar'));
    writeFileSync(join(kafka, 'libs', 'kafka-clients-4.3.1.jar'), '');
    expect(await check()).toEqual([]);
  });

  it('compares disk, memory, files and maps with what the plan needs', async () => {
    goodPrograms();
    const small = {
      ...enough(),
      freeDiskBytes: 4 * 1024 ** 3,
      availableMemoryBytes: 1024 ** 3,
      openFiles: 1024,
      maxMapCount: 20_000,
    };
    const problems = await preflight(home(), plan, { PATH: bin }, small);
    expect(problems.map((p) => p.code)).toEqual([
      'disk-too-small',
      'memory-too-small',
      'open-files',
      'map-count',
    ]);
    expect(problems[0]?.message).toContain('up to 4.0 GiB on disk at one time and 0.5 GiB must stay free');
    expect(problems[3]?.message).toContain('up to 26000 memory maps; vm.max_map_count is 20000');
  });

  it('refuses another system and a home that Java cannot name', async () => {
    goodPrograms();
    expect(
      (await preflight(home(), plan, { PATH: bin }, { ...enough(), platform: 'darwin' })).map((p) => p.code),
    ).toEqual(['linux']);
    const odd = resolveHome({ ASSAY_HOME: join(dir, 'a:b') });
    expect((await preflight(odd, plan, { PATH: bin }, enough())).map((p) => p.code)).toEqual(['home-path']);
  });
});

describe('findJava', () => {
  it('prefers JAVA_HOME and tells build and major', async () => {
    goodPrograms();
    expect(await findJava({ PATH: bin })).toMatchObject({ major: 21, version: '21.0.3+9-Debian' });
    await expect(findJava({ PATH: bin, JAVA_HOME: join(dir, 'none') })).rejects.toMatchObject({
      code: 'java-home',
    });
    program('java', '');
    writeFileSync(join(bin, 'java'), '#!/bin/sh\nexit 3\n');
    await expect(findJava({ PATH: bin })).rejects.toMatchObject({ code: 'java-broken' });
  });

  it('says once that JAVA_HOME points nowhere, which breaks Maven too', async () => {
    goodPrograms();
    const env = { PATH: bin, JAVA_HOME: join(dir, 'none') };
    const problems = await preflight(home(), plan, env, enough());
    expect(problems).toEqual([
      {
        code: 'java-home',
        message: expect.stringContaining(`JAVA_HOME is ${join(dir, 'none')}`),
        fix: expect.stringContaining('unset it'),
      },
    ]);
  });

  it('reads old and new version numbers', () => {
    expect([javaMajor('17.0.15'), javaMajor('1.8.0_412'), javaMajor('26-ea'), javaMajor('x')]).toEqual([
      17,
      8,
      26,
      null,
    ]);
  });
});
