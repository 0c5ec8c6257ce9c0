import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpus } from '../src/design/corpus.ts';
import type { LoadPlan, Plan, ProducerLoad } from '../src/design/plan.ts';
import { blockDeviceOf } from '../src/lab/local/block-device.ts';
import { renderBrokerConfig, renderBrokerLogging } from '../src/lab/local/broker-config.ts';
import { TOOL_LOGGING } from '../src/lab/tools/tool-logging.ts';
import { findJava } from '../src/lab/local/java.ts';
import { brokerCommand, brokerLog, clientCommand, toolLogging } from '../src/lab/local/java-command.ts';
import { installKafka } from '../src/lab/local/kafka-install.ts';
import { firstNodes, type LabRecord } from '../src/lab/local/lab-record.ts';
import { allowedCores, choosePinning } from '../src/lab/local/pinning.ts';
import { takePorts } from '../src/lab/local/ports.ts';
import { PRODUCER_MAIN, producerArguments } from '../src/lab/producer-command.ts';
import type { PrivateHome } from '../test/support/private-home.ts';

const SETTLE_LIMIT_MS = 60_000;
/** Short-lived JVMs start faster with these, as everybody knows who scripts Kafka's tools. */
const TOOL_FLAGS = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xmx256m'];

/**
 * Everything that plain.sh needs to run the trials of a plan: the same brokers (flags, settings, class archive), the same
 * tool with the same arguments, the same records, the same order.
 *
 * @returns the folder to give to plain.sh.
 */
export async function preparePlain(plan: Plan, own: PrivateHome): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-plain-'));
  const record = await labRecord(plan, own, folder);
  writeFileSync(toolLogging(folder), TOOL_LOGGING);
  for (const node of record.nodes) {
    mkdirSync(node.folder);
    writeFileSync(join(node.folder, 'server.properties'), renderBrokerConfig(node, record.nodes, {}));
    writeFileSync(join(node.folder, 'log4j2.properties'), renderBrokerLogging(brokerLog(node)));
    // bash -c SCRIPT broker FORMATTED COUNT FORMAT… RUN…
    const { argv } = brokerCommand(record, node, folder);
    const formatLength = Number(argv[5]);
    writeArguments(join(node.folder, 'format'), argv.slice(6, 6 + formatLength));
    writeArguments(join(node.folder, 'broker'), argv.slice(6 + formatLength));
  }
  const load = onlyProducer(plan);
  writeFileSync(join(folder, 'payload.txt'), payloadOf(plan, load));
  const bootstrap = record.nodes.map((n) => `127.0.0.1:${n.brokerPort}`).join(',');
  writeArguments(join(folder, 'producer'), producerLine(record, folder, load, bootstrap));
  writeArguments(join(folder, 'tool'), toolLine(record, folder));
  writeFileSync(join(folder, 'settings'), settings(plan, load, bootstrap, blockDeviceOf(folder)?.device));
  return folder;
}

function writeArguments(file: string, argv: readonly string[]): void {
  writeFileSync(file, `${argv.join('\n')}\n`);
}

async function labRecord(plan: Plan, own: PrivateHome, folder: string): Promise<LabRecord> {
  const { brokers, pin } = plan.lab;
  const java = await findJava(own.env);
  const kafka = await installKafka(
    own.home,
    brokers.kafka,
    () => undefined,
    AbortSignal.timeout(600_000),
    own.env,
  );
  const ports = await takePorts(own.env['ASSAY_MACHINE_DIR'] as string, folder, brokers.count * 2);
  return {
    format: 1,
    key: 'plain',
    plan: plan.lab,
    expiresAtMs: 0,
    clusterId: 'cGxhaW4tcGxhaW4tcGxhaQ',
    java: { path: java.path, version: java.version },
    kafka,
    archive: archiveIn(join(own.home.kafka, 'archives')),
    pinning: choosePinning(allowedCores(), pin),
    nodes: firstNodes(folder, brokers.count, ports),
  };
}

/** The class archive that Assay made in this home: without it the plain brokers would start more slowly. */
function archiveIn(folder: string): string {
  const archive = readdirSync(folder).find((name) => name.endsWith('.jsa'));
  if (archive === undefined) throw new Error(`there is no class archive in ${folder}`);
  return join(folder, archive);
}

function onlyProducer(plan: Plan): ProducerLoad {
  const [load] = plan.scenarios[0]?.loads ?? ([] as LoadPlan[]);
  if (load?.kind !== 'producer') throw new Error('the first load of the plan is no producer');
  return load;
}

function payloadOf(plan: Plan, load: ProducerLoad): Uint8Array {
  const payload = plan.payloads.find((p) => p.name === load.payload);
  if (payload === undefined || payload.kind === 'file') throw new Error('the plan makes no payload');
  return corpus(payload);
}

function producerLine(
  record: LabRecord,
  folder: string,
  load: ProducerLoad,
  bootstrap: string,
): readonly string[] {
  const pin = record.pinning.clients === null ? [] : ['taskset', '-c', record.pinning.clients];
  const { argv } = clientCommand(record, folder, PRODUCER_MAIN, load.heapBytes);
  const given = producerArguments({
    bootstrapServers: bootstrap,
    topic: '@TOPIC@',
    records: recordsOf(load),
    recordsPerS: load.recordsPerS,
    payloadFile: join(folder, 'payload.txt'),
    transaction: null,
    config: { ...load.config, 'batch.size': '@BATCH@' },
  });
  return [...pin, ...argv, ...given];
}

function toolLine(record: LabRecord, folder: string): readonly string[] {
  const archive = record.archive === null ? [] : [`-XX:SharedArchiveFile=${record.archive}`];
  const logging = `-Dlog4j2.configurationFile=file:${toolLogging(folder)}`;
  return [record.java.path, ...TOOL_FLAGS, ...archive, logging, '-cp', `${record.kafka.libs}/*`];
}

function recordsOf(load: ProducerLoad): number {
  if (load.count.kind !== 'records') throw new Error('the plan does not say how many records a load sends');
  return load.count.records;
}

function settings(plan: Plan, load: ProducerLoad, bootstrap: string, device: string | undefined): string {
  const topic = plan.scenarios[0]?.topics[0];
  if (topic === undefined) throw new Error('the plan has no topic');
  const [[name, value] = ['', '']] = Object.entries(topic.config);
  const batchOf = (slug: string) =>
    plan.scenarios.find((s) => s.slug === slug)?.loads[0]?.config['batch.size'] ?? '';
  const values = {
    BOOTSTRAP: bootstrap,
    PARTITIONS: topic.partitions,
    REPLICATION: topic.replication,
    TOPIC_CONFIG: `${name}=${value}`,
    RECORDS: recordsOf(load),
    DEVICE: device ?? '-',
    QUIET_MS: plan.settle.quietMs,
    LIMIT_MS: SETTLE_LIMIT_MS,
    WARM_UP: plan.scenarios.map((s) => batchOf(s.slug)).join(' '),
    TRIALS: plan.orders.flat().map(batchOf).join(' '),
  };
  return Object.entries(values)
    .map(([key, value]) => `${key}='${String(value)}'\n`)
    .join('');
}
