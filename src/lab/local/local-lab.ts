import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabPlan } from '../../design/plan.ts';
import { InfrastructureError } from '../errors.ts';
import { type Home, labFolder, machineFolder } from '../home.ts';
import type { Host } from '../host.ts';
import type { Command } from '../jvm.ts';
import type {
  BrokerSettings,
  Lab,
  LabFacts,
  LabHost,
  LabState,
  Leftovers,
  LogFiles,
  SamplerTarget,
} from '../lab.ts';
import { blockDeviceOf } from './block-device.ts';
import { TOOL_LOGGING } from '../tools/tool-logging.ts';
import { awaitBrokers, inspectBrokers, launchBrokers } from './brokers.ts';
import { dynamicChanges, withSettings } from '../broker-settings.ts';
import { ensureClassArchive } from './class-archive.ts';
import { findJava, type Java } from './java.ts';
import { brokerLog, clientCommand, gcLog, toolLogging } from './java-command.ts';
import { KafkaAdmin } from './kafka-admin.ts';
import { installKafka, type KafkaInstall } from './kafka-install.ts';
import { labFacts } from './lab-facts.ts';
import { firstNodes, type LabRecord, readLabRecord, writeLabRecord } from './lab-record.ts';
import { allowedCores, choosePinning } from './pinning.ts';
import { takePorts } from './ports.ts';
import { brokerHost, clientHost, type LabSite } from './site.ts';
import { stopBrokers } from './stop-brokers.ts';
import { findLeaks, teardownLab } from './teardown.ts';
import { segments, topicFolders } from './topic-layout.ts';

export interface LocalLabOptions {
  readonly home: Home;
  /** The experiment key: names the lab's folder and capsules. */
  readonly key: string;
  readonly plan: LabPlan;
  /** Brokers that are launched get this as their deadline (wall clock, ms since the epoch). */
  readonly expiresAtMs: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** A lab on this machine: what it can do beyond the interface that all labs share. */
export interface LocalLab extends Lab {
  /** Files worth keeping before the lab is torn down: broker and GC logs, configs. Name → absolute path. */
  files(): Readonly<Record<string, string>>;
}

/**
 * A lab of combined KRaft nodes on loopback, each a capsule (design §5). The object holds no state but connections:
 * everything is in the lab's folder, so any process may open it, in any state of the lab.
 */
export function createLocalLab(options: LocalLabOptions): LocalLab {
  return new LabOnThisMachine(options);
}

class LabOnThisMachine implements LocalLab {
  readonly #options: LocalLabOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #site: LabSite;
  readonly admin: KafkaAdmin;

  constructor(options: LocalLabOptions) {
    this.#options = options;
    this.#env = options.env ?? process.env;
    const folder = labFolder(options.home, options.key);
    this.#site = {
      key: options.key,
      folder,
      machineDir: machineFolder(this.#env),
      kafkaCache: options.home.kafka,
    };
    this.admin = new KafkaAdmin(
      () =>
        this.#record().nodes.map((n) => ({
          nodeId: n.nodeId,
          name: n.name,
          port: n.brokerPort,
          folder: n.folder,
        })),
      async (name) => (await this.inspect()).brokers.some((b) => b.name === name && b.alive),
    );
  }

  async provision(say: (text: string) => void, signal: AbortSignal): Promise<LabFacts> {
    const java = await findJava(this.#env);
    const kafka = await installKafka(
      this.#options.home,
      this.#options.plan.brokers.kafka,
      say,
      signal,
      this.#env,
    );
    const record = readLabRecord(this.#site.folder) ?? (await this.#firstRecord(java, kafka, say, signal));
    return this.#bringUp(record, say, signal);
  }

  async inspect(): Promise<LabState> {
    const record = readLabRecord(this.#site.folder);
    return record === null ? noBrokers(this.#options.plan.brokers.count) : inspectBrokers(this.#site, record);
  }

  async lost(): Promise<readonly string[]> {
    return (await this.inspect()).brokers.filter((b) => !b.alive).map((b) => `broker ${b.name}`);
  }

  async repair(say: (text: string) => void, signal: AbortSignal): Promise<LabState> {
    await this.#bringUp(this.#record(), say, signal);
    return this.inspect();
  }

  async reconfigure(
    settings: BrokerSettings,
    say: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>> {
    const record = this.#record();
    if (settings.apply === 'dynamic') {
      say('altering the running brokers');
      await this.admin.alterBrokers(dynamicChanges(settings), signal);
      return (await labFacts(record, this.admin, this.#site.folder)).brokerConfig;
    }
    say('stopping the brokers');
    await stopBrokers(this.#site, record, signal);
    await this.admin.close();
    const brokers = withSettings(this.#options.plan.brokers, settings);
    const facts = await this.#bringUp({ ...record, plan: { ...record.plan, brokers } }, say, signal);
    return facts.brokerConfig;
  }

  async teardown(): Promise<void> {
    await this.admin.close().catch(() => undefined);
    await teardownLab(this.#site);
  }

  async leaks(): Promise<Leftovers> {
    const record = readLabRecord(this.#site.folder);
    const ports = record?.nodes.flatMap((n) => [n.brokerPort, n.controllerPort]) ?? [];
    return { leaks: await findLeaks(this.#site, ports), unverified: [] };
  }

  client(name: string): Host {
    if (!this.#options.plan.clients.names.includes(name))
      throw new Error(`the lab has no client ${name}; it has ${this.#options.plan.clients.names.join(', ')}`);
    return clientHost(this.#site, name);
  }

  javaCommand(mainClass: string, heapBytes: number): Command {
    return clientCommand(this.#record(), this.#site.folder, mainClass, heapBytes);
  }

  samplerHosts(): readonly LabHost[] {
    const name = this.#options.plan.clients.names[0] ?? '';
    return [{ who: `client ${name}`, host: this.client(name) }];
  }

  async samplerTargets(): Promise<readonly SamplerTarget[]> {
    const { brokers } = await this.inspect();
    const pids = brokers.flatMap((b) => (b.alive && b.pid !== null ? [[b.name, b.pid] as const] : []));
    return [
      {
        host: this.client(this.#options.plan.clients.names[0] ?? ''),
        device: blockDeviceOf(this.#site.folder)?.device ?? null,
        netInterfaces: ['lo'],
        brokerPids: Object.fromEntries(pids),
      },
    ];
  }

  async logFiles(topic: string): Promise<readonly LogFiles[]> {
    const partitions = await this.admin.describeTopic(topic);
    return this.#record().nodes.map((node) => {
      const led = new Set(
        partitions.filter((p) => p.leader === node.nodeId).map((p) => `${topic}-${p.partition}`),
      );
      const folders = topicFolders(node.folder, topic);
      return {
        broker: node.name,
        host: brokerHost(this.#site),
        files: folders.flatMap((folder) => segments(node.folder, folder)),
        ledFiles: folders
          .filter((folder) => led.has(folder))
          .flatMap((folder) => segments(node.folder, folder)),
      };
    });
  }

  files(): Readonly<Record<string, string>> {
    const record = readLabRecord(this.#site.folder);
    const files: Record<string, string> = { 'lab.json': join(this.#site.folder, 'lab.json') };
    for (const node of record?.nodes ?? []) {
      files[`${node.name}/broker.log`] = brokerLog(node);
      files[`${node.name}/server.properties`] = join(node.folder, 'server.properties');
      for (let incarnation = 1; incarnation <= node.incarnation; incarnation++)
        files[`${node.name}/gc-${incarnation}.log`] = gcLog({ ...node, incarnation });
    }
    return Object.fromEntries(Object.entries(files).filter(([, path]) => existsSync(path)));
  }

  #record(): LabRecord {
    const record = readLabRecord(this.#site.folder);
    if (record === null)
      throw new InfrastructureError(
        'no-lab',
        `There is no lab in ${this.#site.folder}.`,
        'It was torn down or never provisioned; start the experiment again.',
      );
    return record;
  }

  async #bringUp(record: LabRecord, say: (text: string) => void, signal: AbortSignal): Promise<LabFacts> {
    const launched = await launchBrokers(this.#site, {
      ...record,
      expiresAtMs: Math.max(record.expiresAtMs, this.#options.expiresAtMs),
    });
    await awaitBrokers(this.#site, launched, this.admin, say, signal);
    return labFacts(launched, this.admin, this.#site.folder);
  }

  /** Writes down the whole lab before any of it exists: folder, ports (registered in the machine's register), nodes. */
  async #firstRecord(
    java: Java,
    kafka: KafkaInstall,
    say: (text: string) => void,
    signal: AbortSignal,
  ): Promise<LabRecord> {
    const { folder, machineDir, key } = this.#site;
    const { plan, expiresAtMs } = this.#options;
    mkdirSync(folder, { recursive: true });
    const ports = await takePorts(machineDir, folder, plan.brokers.count * 2);
    const nodes = firstNodes(folder, plan.brokers.count, ports);
    const draft: LabRecord = {
      format: 1,
      key,
      plan,
      expiresAtMs,
      clusterId: newClusterId(),
      java: { path: java.path, version: java.version },
      kafka,
      archive: null,
      pinning: choosePinning(allowedCores(), plan.pin),
      nodes,
    };
    writeFileSync(toolLogging(folder), TOOL_LOGGING);
    const record = { ...draft, archive: await ensureClassArchive(this.#site, draft, java, say, signal) };
    writeLabRecord(folder, record);
    return record;
  }
}

/** A lab that is not there: none of its brokers lives, and repair will say why. */
function noBrokers(count: number): LabState {
  const brokers = Array.from({ length: count }, (_, i) => ({
    name: `b${i + 1}`,
    nodeId: i + 1,
    incarnation: 0,
    alive: false,
    pid: null,
    startTicks: null,
  }));
  return { brokers, identity: 'none' };
}

/** 16 random bytes as Kafka writes ids; one that begins with a dash would look like an option. */
function newClusterId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newClusterId() : id;
}
