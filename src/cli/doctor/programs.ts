import { closeSync, openSync, readdirSync, readSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import { drawPlan } from '../../design/draw-plan.ts';
import type { Plan } from '../../design/plan.ts';
import type { Home } from '../../lab/home.ts';
import { findJava, findMaven, findProgram } from '../../lab/local/java.ts';
import { cachedLibs, kafkaFromHome, needsMaven } from '../../lab/local/kafka-install.ts';
import { type Problem, preflight } from '../../lab/local/preflight.ts';
import { parseSpec } from '../../spec/check.ts';
import type { Env } from '../../temporal/home.ts';
import { type Check, fail, look, ok, warn } from './check.ts';

/** The smallest spec there is: its lab is the default lab. */
const DEFAULT_SPEC = {
  name: 'doctor',
  question: 'Does it fit?',
  factors: { batch: { set: 'producers.*.config.batch.size', levels: ['16KiB', '64KiB'] } },
};

/** The plan of the default lab: what a machine must be able to run at least. */
export function defaultPlan(): Plan {
  const spec = parseSpec(DEFAULT_SPEC);
  const drawn = spec.ok ? drawPlan(spec.json, { experimentKey: 'doctor' }) : null;
  if (drawn?.ok) return drawn.plan;
  throw new Error('the default spec does not plan');
}

/** Which check tells of which problem of the preflight; the rest is told under its own code. */
function idOf({ code }: Problem): string {
  if (code.startsWith('java')) return 'java';
  if (code.startsWith('bash')) return 'bash';
  if (code.startsWith('awk')) return 'awk';
  if (code.startsWith('kafka') || code.startsWith('maven')) return 'kafka';
  return { 'disk-too-small': 'disk', 'memory-too-small': 'memory', 'home-path': 'home' }[code] ?? code;
}

/** Node, bash, awk, Java, Kafka, and everything else that the preflight of a run finds wrong. */
export async function programChecks(home: Home, env: Env, plan: Plan): Promise<Check[]> {
  const problems = await preflight(home, plan, env);
  const found = problems.map((problem) => fail(idOf(problem), problem.message, problem.fix));
  const wrong = (id: string) => found.some((check) => check.id === id);
  const good = await Promise.all([
    look('node', () => ok('node', `Node ${process.versions.node} at ${process.execPath}`)),
    look('bash', () => ok('bash', `bash 5 or newer at ${findProgram('bash', env)}`)),
    look('awk', () => ok('awk', `awk at ${findProgram('awk', env)}`)),
    look('java', async () => {
      const java = await findJava(env);
      return ok('java', `Java ${java.version} at ${java.path}`);
    }),
    look('kafka', () => kafkaCheck(home, env, plan.lab.brokers.kafka)),
  ]);
  return [...good.filter(({ id }) => !wrong(id)), ...found];
}

async function kafkaCheck(home: Home, env: Env, version: string): Promise<Check> {
  if (needsMaven(home, version, env)) {
    const maven = await findMaven(env);
    return ok('kafka', `Kafka ${version} is not here yet; the first run fetches it with ${maven} (45 MB)`);
  }
  const own = kafkaFromHome(version, env);
  const libs = own?.libs ?? cachedLibs(home, version);
  const torn = readdirSync(libs).filter((name) => name.endsWith('.jar') && !isWholeJar(join(libs, name)));
  if (torn.length > 0) {
    const fix =
      own === null ? `Remove ${libs}; the next run fetches it again.` : 'Unpack Kafka anew into KAFKA_HOME.';
    return fail('kafka', `Kafka ${version} in ${libs} has broken jars: ${torn.join(', ')}.`, fix);
  }
  const missing = ['kafka_2.13', 'kafka-tools', 'kafka-server'].filter(
    (name) => !readdirSync(libs).some((jar) => jar.startsWith(`${name}-`)),
  );
  if (missing.length > 0) {
    return warn(
      'kafka',
      `Kafka ${version} in ${libs} lacks ${missing.join(', ')}.`,
      own === null
        ? `Remove ${libs}; the next run fetches it again.`
        : 'Point KAFKA_HOME at a whole Kafka distribution.',
    );
  }
  return ok('kafka', `Kafka ${version}, whole, in ${libs}`);
}

/** The end-of-central-directory record is the last thing in a zip: a jar that was cut short has none. */
const ZIP_END = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
/** Its own 22 bytes and the longest comment. */
const ZIP_TAIL_BYTES = 22 + 65_535;

/** Whether a jar ends as a zip does. Reads its last 64 KiB only. */
export function isWholeJar(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, ZIP_TAIL_BYTES));
    readSync(file, tail, 0, tail.length, size - tail.length);
    const end = tail.lastIndexOf(ZIP_END);
    // The record is followed by exactly as long a comment as it says.
    return end >= 0 && end + 22 <= tail.length && end + 22 + tail.readUInt16LE(end + 20) === tail.length;
  } finally {
    closeSync(file);
  }
}
