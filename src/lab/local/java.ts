import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { InfrastructureError } from '../errors.ts';

const run = promisify(execFile);

/** A Java that can run Kafka 4. */
export interface Java {
  /** Absolute path of the launcher. */
  readonly path: string;
  readonly major: number;
  /** `17.0.15+6-Debian-1deb12u1`, as the JVM names itself. */
  readonly version: string;
  /** The whole of `java -version`: a class-data archive is valid for exactly this. */
  readonly fullVersion: string;
}

const OLDEST_JAVA = 17;
const JAVA_FIX =
  'Install a JDK or JRE 17 or newer (Debian, Ubuntu: apt install openjdk-17-jre-headless; Fedora: dnf install java-21-openjdk-headless) or point JAVA_HOME at one.';

/** Absolute path of a program on the PATH; null if it is not there. */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | null {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // next one
    }
  }
  return null;
}

/** The Java of JAVA_HOME, else of the PATH. Throws one InfrastructureError when there is none or it is too old. */
export async function findJava(env: NodeJS.ProcessEnv = process.env): Promise<Java> {
  requireJavaHome(env);
  const javaHome = env['JAVA_HOME'];
  const path = javaHome ? join(javaHome, 'bin', 'java') : findProgram('java', env);
  if (path === null) {
    throw new InfrastructureError(
      'java-missing',
      'Java 17 or newer is needed for the brokers; no java was found on the PATH.',
      JAVA_FIX,
    );
  }
  const fullVersion = await javaVersionText(path, env);
  const version = /version "([^"]+)"/.exec(fullVersion)?.[1] ?? '';
  const major = javaMajor(version);
  if (major === null || major < OLDEST_JAVA) {
    throw new InfrastructureError(
      'java-too-old',
      `Java 17 or newer is needed for the brokers; found ${version || 'an unknown version'} at ${path}.`,
      JAVA_FIX,
    );
  }
  const build = /\(build ([^,)]+)/.exec(fullVersion)?.[1] ?? version;
  return { path: realpathSync(path), major, version: build, fullVersion };
}

/** A JAVA_HOME that points nowhere breaks Java and Maven alike: said once, as what it is. */
function requireJavaHome(env: NodeJS.ProcessEnv): void {
  const javaHome = env['JAVA_HOME'];
  if (!javaHome) return;
  try {
    accessSync(join(javaHome, 'bin', 'java'), constants.X_OK);
  } catch {
    throw new InfrastructureError(
      'java-home',
      `JAVA_HOME is ${javaHome}, but ${join(javaHome, 'bin', 'java')} is no program that can be run.`,
      'Correct JAVA_HOME, or unset it: then the java on the PATH is used.',
    );
  }
}

/** `17.0.15` → 17, `1.8.0_412` → 8; null when it is no version. */
export function javaMajor(version: string): number | null {
  const match = /^(?:1\.)?(\d+)/.exec(version);
  return match === null ? null : Number(match[1]);
}

async function javaVersionText(path: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout, stderr } = await run(path, ['-version'], {
      env: { ...env, LC_ALL: 'C' },
      timeout: 30_000,
    });
    return `${stderr}${stdout}`.trim();
  } catch (error) {
    throw new InfrastructureError(
      'java-broken',
      `${path} -version failed: ${(error as Error).message.split('\n')[0]}`,
      JAVA_FIX,
      { cause: error },
    );
  }
}

const OLDEST_MAVEN = [3, 6] as const;

/** Path of a Maven that can fetch the jars. Throws one InfrastructureError when there is none or it is too old. */
export async function findMaven(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const fix = 'Install Maven 3.6 or newer (apt install maven), or point KAFKA_HOME at an unpacked Kafka.';
  const path = findProgram('mvn', env);
  if (path === null)
    throw new InfrastructureError(
      'maven-missing',
      'Maven is needed once, to fetch Kafka; no mvn was found on the PATH.',
      fix,
    );
  requireJavaHome(env);
  let text: string;
  try {
    text = (await run(path, ['-B', '--version'], { env: { ...env, LC_ALL: 'C' }, timeout: 60_000 })).stdout;
  } catch (error) {
    throw new InfrastructureError(
      'maven-broken',
      `${path} --version failed: ${(error as Error).message.split('\n')[0]}`,
      fix,
      { cause: error },
    );
  }
  const match = /Apache Maven (\d+)\.(\d+)/.exec(text);
  const [major, minor] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
  if (major < OLDEST_MAVEN[0] || (major === OLDEST_MAVEN[0] && minor < OLDEST_MAVEN[1])) {
    throw new InfrastructureError(
      'maven-too-old',
      `Maven 3.6 or newer is needed, to fetch Kafka; found ${match?.[0] ?? 'an unknown version'} at ${path}.`,
      fix,
    );
  }
  return path;
}
