import { join } from 'node:path';
import { type Command, COMMON_JVM_FLAGS } from '../jvm.ts';
import { LAB_MARK } from './processes.ts';
import type { LabRecord, NodeRecord } from './lab-record.ts';

function environment(folder: string): Readonly<Record<string, string>> {
  return { LC_ALL: 'C', [LAB_MARK]: folder };
}

function archiveFlags(archive: string | null): readonly string[] {
  return archive === null ? [] : [`-XX:SharedArchiveFile=${archive}`];
}

/**
 * Flags of a broker's JVM: fixed heap, full JIT unless the plan says C1, and G1 by name: pinned to a single core the
 * JVM would silently choose the serial collector, which nobody runs a broker with.
 */
export function brokerJvmFlags(record: LabRecord, node: NodeRecord): readonly string[] {
  const { heapBytes, jit } = record.plan.brokers;
  return [
    `-Xms${heapBytes}`,
    `-Xmx${heapBytes}`,
    '-XX:+UseG1GC',
    ...(jit === 'c1' ? ['-XX:TieredStopAtLevel=1'] : []),
    // a broker out of memory must be seen to die, not limp on
    '-XX:+ExitOnOutOfMemoryError',
    ...archiveFlags(record.archive),
    ...COMMON_JVM_FLAGS,
    `-Xlog:gc:file=${gcLog(node)}:timemillis:filecount=2,filesize=16M`,
  ];
}

/** The GC log of this incarnation; times are milliseconds since the epoch. */
export function gcLog(node: NodeRecord): string {
  return join(node.folder, `gc-${node.incarnation}.log`);
}

/** The file with elections, ISR changes, warnings and errors of the node, over all its incarnations. */
export function brokerLog(node: { readonly folder: string }): string {
  return join(node.folder, 'broker.log');
}

function javaArguments(libs: string, logging: string): readonly string[] {
  return [`-Dlog4j2.configurationFile=file:${logging}`, '-cp', `${libs}/*`];
}

/**
 * Formats the storage unless it is formatted, then becomes the broker (same pid). One capsule for both, so that a
 * kill between the two leaves nothing that the record does not name. Formatting may use all cores and C1 only.
 */
const FORMAT_THEN_RUN = `set -e
if [ ! -e "$1" ]; then "\${@:3:$2}"; fi
shift $(($2 + 2))
exec "$@"`;

export function brokerCommand(record: LabRecord, node: NodeRecord, labFolder: string): Command {
  const { path } = record.java;
  const config = join(node.folder, 'server.properties');
  const format = [
    path,
    '-Xmx256m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    ...archiveFlags(record.archive),
    ...COMMON_JVM_FLAGS,
    ...javaArguments(record.kafka.libs, toolLogging(labFolder)),
    'kafka.tools.StorageTool',
    'format',
    '--ignore-formatted',
    '--cluster-id',
    record.clusterId,
    '--config',
    config,
  ];
  const pin = record.pinning.brokers === null ? [] : ['taskset', '-c', record.pinning.brokers];
  const run = [
    ...pin,
    path,
    ...brokerJvmFlags(record, node),
    ...javaArguments(record.kafka.libs, join(node.folder, 'log4j2.properties')),
    'kafka.Kafka',
    config,
  ];
  const formatted = join(node.folder, 'data', 'meta.properties');
  return {
    argv: ['bash', '-c', FORMAT_THEN_RUN, 'broker', formatted, String(format.length), ...format, ...run],
    env: environment(labFolder),
  };
}

export function toolLogging(labFolder: string): string {
  return join(labFolder, 'tools-log4j2.properties');
}

/**
 * Runs a Kafka class on a client host, without the class's own arguments. Fixed heap; GC pauses go to `gc.log` in
 * the working folder, which is the capsule's own unless its launcher says otherwise.
 */
export function clientCommand(
  record: LabRecord,
  labFolder: string,
  mainClass: string,
  heapBytes: number,
): Command {
  return {
    argv: [
      record.java.path,
      `-Xms${heapBytes}`,
      `-Xmx${heapBytes}`,
      '-XX:+UseG1GC',
      ...archiveFlags(record.archive),
      ...COMMON_JVM_FLAGS,
      '-Xlog:gc:file=gc.log:timemillis:filecount=0',
      ...javaArguments(record.kafka.libs, toolLogging(labFolder)),
      mainClass,
    ],
    env: environment(labFolder),
  };
}

/** What a broker start costs most is loading and verifying classes: one start of a throw-away node, stopped gracefully, writes them to an archive. */
const START_THEN_STOP = `set -e
log=$1
shift
if [ ! -e "$1" ]; then "\${@:3:$2}"; fi
shift $(($2 + 2))
"$@" &
java=$!
trap 'kill $java 2>/dev/null' TERM
i=0
until grep -q 'Kafka Server started' "$log" 2>/dev/null; do
  i=$((i + 1))
  kill -0 $java && [ $i -lt 600 ]
  sleep 0.1
done
kill $java
wait $java || true`;

/** The command that writes a class-data archive to `target`, by running `node` (a quorum of its own) once. */
export function archiveCommand(
  record: LabRecord,
  node: NodeRecord,
  labFolder: string,
  target: string,
): Command {
  const plain: LabRecord = {
    ...record,
    archive: null,
    pinning: { brokers: null, clients: null },
    plan: { ...record.plan, brokers: { ...record.plan.brokers, jit: 'c1', heapBytes: 256 << 20 } },
  };
  const { argv, env } = brokerCommand(plain, node, labFolder);
  const rest = argv.slice(4);
  const main = rest.lastIndexOf(record.java.path);
  rest.splice(main + 1, 0, `-XX:ArchiveClassesAtExit=${target}`);
  return { argv: ['bash', '-c', START_THEN_STOP, 'archive', brokerLog(node), ...rest], env };
}
