import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Home } from '../home.ts';
import { TOOL_FILES, type ToolPlace } from '../tools/run-tools.ts';
import { findJava, type Java } from '../local/java.ts';
import { installKafka, type KafkaInstall } from '../local/kafka-install.ts';
import { createLocalTransport } from '../local/local-transport.ts';

/** Kafka's own tools on this machine, as the jars have them without a distribution's scripts. */
const MAIN_CLASSES: Readonly<Record<string, string>> = {
  'kafka-topics': 'org.apache.kafka.tools.TopicCommand',
  'kafka-get-offsets': 'org.apache.kafka.tools.GetOffsetShell',
  'kafka-log-dirs': 'org.apache.kafka.tools.LogDirsCommand',
  'kafka-configs': 'kafka.admin.ConfigCommand',
  'kafka-cluster': 'org.apache.kafka.tools.ClusterTool',
  'kafka-features': 'org.apache.kafka.tools.FeatureCommand',
  'kafka-consumer-groups': 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand',
};

/** What asks a cluster: Java, Kafka's jars, and where its tools can be run. */
export interface LocalTools {
  readonly java: Java;
  readonly kafka: KafkaInstall;
  readonly place: ToolPlace;
}

/**
 * Finds Java and Kafka of the version and lays out scripts for its tools in the cache of the home, where they serve
 * every experiment. Fetches Kafka when it is not there yet.
 */
export async function localTools(
  home: Home,
  version: string,
  say: (text: string) => void,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
): Promise<LocalTools> {
  const java = await findJava(env);
  const kafka = await installKafka(home, version, say, signal, env);
  const folder = join(home.kafka, 'tools', keyOf(java, kafka));
  for (const [name, text] of Object.entries(TOOL_FILES)) writeOnce(join(folder, name), text, 0o644);
  for (const [tool, main] of Object.entries(MAIN_CLASSES))
    writeOnce(join(folder, 'bin', `${tool}.sh`), script(java, kafka, main), 0o755);
  return { java, kafka, place: { transport: createLocalTransport(env), bin: join(folder, 'bin'), folder } };
}

/** As a distribution's kafka-run-class.sh takes its options; tools.sh sets them. */
function script({ path }: Java, { libs }: KafkaInstall, main: string): string {
  return `#!/usr/bin/env bash
# shellcheck disable=SC2086 — options, several each
exec ${quoted(path)} $KAFKA_HEAP_OPTS $KAFKA_JVM_PERFORMANCE_OPTS $KAFKA_LOG4J_OPTS -cp ${quoted(`${libs}/*`)} ${main} "$@"
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A class-data archive beside the scripts is good for this JVM and these jars only. */
function keyOf(java: Java, kafka: KafkaInstall): string {
  const all = [java.path, java.fullVersion, kafka.libs, ...Object.keys(MAIN_CLASSES)];
  return createHash('sha256').update(all.join('\n')).digest('hex').slice(0, 16);
}

/** Whole or not at all: another experiment may run it now. */
function writeOnce(path: string, text: string, mode: number): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.draft-${process.pid}`;
  writeFileSync(draft, text);
  chmodSync(draft, mode);
  renameSync(draft, path);
}
