import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveHome } from '../../../src/lab/home.ts';
import { installKafka, needsMaven } from '../../../src/lab/local/kafka-install.ts';

let dir: string;
const home = () => resolveHome({ ASSAY_HOME: join(dir, 'home') });
const env = () => ({ PATH: `${join(dir, 'bin')}:/usr/bin:/bin` });
const calls = () => readFileSync(join(dir, 'calls'), 'utf8').trim().split('\n').filter(Boolean).length;
const install = (version = '4.3.1') =>
  installKafka(home(), version, () => undefined, new AbortController().signal, env());

/** Stands in for Maven: counts its calls and makes the jar it was asked for, or fails as Maven does. */
function maven(work: string): void {
  mkdirSync(join(dir, 'bin'), { recursive: true });
  writeFileSync(join(dir, 'calls'), '');
  writeFileSync(
    join(dir, 'bin', 'mvn'),
    `#!/bin/sh
case "$*" in *--version*) echo "Apache Maven 3.9.0"; exit;; esac
echo call >> '${join(dir, 'calls')}'
for a; do case $a in -DoutputDirectory=*) out=\${a#*=};; esac; done
${work}
`,
  );
  chmodSync(join(dir, 'bin', 'mvn'), 0o755);
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-install-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

describe('installKafka', () => {
  it('fetches once for many that ask, and then never again', async () => {
    maven('mkdir -p "$out"; sleep 0.2; : > "$out/kafka-clients-4.3.1.jar"');
    expect(needsMaven(home(), '4.3.1', env())).toBe(true);
    const installs = await Promise.all([install(), install(), install()]);
    expect(new Set(installs.map((i) => i.libs)).size).toBe(1);
    expect(calls()).toBe(1);
    expect(needsMaven(home(), '4.3.1', env())).toBe(false);
    await install();
    expect(calls()).toBe(1);
  });

  it('keeps nothing of a fetch that failed, and says why in one line', async () => {
    maven(
      `mkdir -p "$out"; : > "$out/kafka-clients-4.3.1.jar"; echo '[ERROR] Could not find artifact org.apache.kafka:kafka_2.13:jar:9.9.9'; echo '[ERROR] more'; exit 1`,
    );
    await expect(install()).rejects.toMatchObject({
      code: 'kafka-fetch',
      message:
        'Maven could not fetch Kafka 4.3.1: Could not find artifact org.apache.kafka:kafka_2.13:jar:9.9.9',
    });
    expect(readdirSync(home().kafka).filter((name) => name.startsWith('libs'))).toEqual([]);
  });

  it('refuses jars of another version', async () => {
    maven('mkdir -p "$out"; : > "$out/kafka-clients-4.3.0.jar"');
    await expect(install()).rejects.toMatchObject({ code: 'kafka-fetch' });
  });
});
