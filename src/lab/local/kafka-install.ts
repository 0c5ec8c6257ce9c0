import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { InfrastructureError } from '../errors.ts';
import type { Home } from '../home.ts';
import { withFileLock } from './file-lock.ts';
import { findMaven } from './java.ts';

const run = promisify(execFile);

/** Where Kafka's jars are. */
export interface KafkaInstall {
  readonly version: string;
  /** Absolute folder of all jars. */
  readonly libs: string;
  readonly from: 'KAFKA_HOME' | 'maven';
}

const POM = resolve(import.meta.dirname, '../../../deploy/kafka/pom.xml');
const MAVEN_LIMIT_MS = 10 * 60_000;

/**
 * Kafka of the version asked for: from KAFKA_HOME when set (its version must be that one), else from the cache of the
 * home, which Maven fills once for this pom and version. Two processes at once fetch once.
 */
export async function installKafka(
  home: Home,
  version: string,
  say: (text: string) => void,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<KafkaInstall> {
  const own = kafkaFromHome(version, env);
  if (own !== null) return own;
  const libs = cachedLibs(home, version);
  if (hasVersion(libs, version)) return { version, libs, from: 'maven' };
  mkdirSync(home.kafka, { recursive: true });
  return withFileLock(
    join(home.kafka, 'install.lock'),
    MAVEN_LIMIT_MS,
    async () => {
      // whoever held the lock before may have fetched it
      if (!hasVersion(libs, version)) await fetchLibs(libs, version, say, signal, env);
      return { version, libs, from: 'maven' } as const;
    },
    () => say('waiting for another process that fetches Kafka'),
  );
}

/** KAFKA_HOME's jars if it is set; null if not. Throws when they are absent or of another version. */
export function kafkaFromHome(version: string, env: NodeJS.ProcessEnv): KafkaInstall | null {
  const kafkaHome = env['KAFKA_HOME'];
  if (!kafkaHome) return null;
  const libs = resolve(kafkaHome, 'libs');
  const found = kafkaVersionOf(libs);
  if (found === null) {
    throw new InfrastructureError(
      'kafka-home',
      `KAFKA_HOME is ${kafkaHome}, but ${libs} holds no kafka-clients jar.`,
      'Point KAFKA_HOME at an unpacked Kafka, or unset it and let Maven fetch one.',
    );
  }
  if (found !== version) {
    throw new InfrastructureError(
      'kafka-version',
      `The spec asks for Kafka ${version}, but KAFKA_HOME (${kafkaHome}) is ${found}.`,
      `Set lab.brokers.kafka to ${found}, or unset KAFKA_HOME and let Maven fetch ${version}.`,
    );
  }
  return { version, libs, from: 'KAFKA_HOME' };
}

/** Whether installKafka would have to call Maven. */
export function needsMaven(home: Home, version: string, env: NodeJS.ProcessEnv): boolean {
  return !env['KAFKA_HOME'] && !hasVersion(cachedLibs(home, version), version);
}

/** Kafka's version as the names of its jars tell it; null when there are none. */
export function kafkaVersionOf(libs: string): string | null {
  let names: readonly string[];
  try {
    names = readdirSync(libs);
  } catch {
    return null;
  }
  for (const name of names) {
    const match = /^kafka-clients-(\d.*)\.jar$/.exec(name);
    if (match?.[1] !== undefined && !/-(test|sources|javadoc)$/.test(match[1])) return match[1];
  }
  return null;
}

function hasVersion(libs: string, version: string): boolean {
  return kafkaVersionOf(libs) === version;
}

/** Where Maven's copy of the jars is kept. The folder's name holds the pom's hash: another pom is another set of jars. */
export function cachedLibs(home: Home, version: string): string {
  const hash = createHash('sha256').update(readFileSync(POM)).update(version).digest('hex').slice(0, 12);
  return join(home.kafka, `libs-${version}-${hash}`);
}

async function fetchLibs(
  libs: string,
  version: string,
  say: (text: string) => void,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const maven = await findMaven(env);
  say(`fetching Kafka ${version} with Maven (once, about 45 MB)`);
  const draft = `${libs}.draft-${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  const goals = [
    '-q',
    '-B',
    '-f',
    POM,
    `-Dkafka.version=${version}`,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${draft}`,
    '-DincludeScope=runtime',
  ];
  try {
    await run(maven, goals, {
      env: { ...env, LC_ALL: 'C' },
      timeout: MAVEN_LIMIT_MS,
      signal,
      maxBuffer: 16 << 20,
    });
    if (!hasVersion(draft, version))
      throw new Error(`Maven ended well, but ${draft} holds no kafka-clients-${version}.jar`);
    rmSync(libs, { recursive: true, force: true });
    // a complete folder or none: nobody ever sees half of the jars
    renameSync(draft, libs);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    signal.throwIfAborted();
    throw new InfrastructureError(
      'kafka-fetch',
      `Maven could not fetch Kafka ${version}: ${mavenReason(error)}`,
      'Check the version and the network (and proxy or mirror in ~/.m2/settings.xml), or point KAFKA_HOME at an unpacked Kafka.',
      { cause: error },
    );
  }
}

/** The first [ERROR] line says what was wrong; the rest repeats it with advice about Maven's own switches. */
function mavenReason(error: unknown): string {
  const text = (error as { stdout?: string }).stdout ?? '';
  const line = text.split('\n').find((l) => l.includes('[ERROR]'));
  return (line ?? (error as Error).message.split('\n')[0] ?? '').replace(/^.*\[ERROR\]\s*/, '').slice(0, 300);
}
