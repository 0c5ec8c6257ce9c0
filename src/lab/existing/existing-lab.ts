import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabPlan } from '../../design/plan.ts';
import { InfrastructureError } from '../errors.ts';
import { type Home, labFolder, machineFolder } from '../home.ts';
import type { Host } from '../host.ts';
import type { Command } from '../jvm.ts';
import type { Lab, LabFacts, LabHost, LabState, Leftovers, LogFiles, SamplerTarget } from '../lab.ts';
import { archiveClasses } from '../tools/run-tools.ts';
import { listing } from '../tools/calls.ts';
import { TOOL_LOGGING } from '../tools/tool-logging.ts';
import { clientCommand, toolLogging } from '../local/java-command.ts';
import { machineFacts } from '../local/lab-facts.ts';
import { type LabRecord, readLabRecord, writeLabRecord } from '../local/lab-record.ts';
import { clientHost, type LabSite } from '../local/site.ts';
import { findLeaks, teardownLab } from '../local/teardown.ts';
import { interfacesTowards } from './client-interfaces.ts';
import { placingOrder, told } from './cluster-calls.ts';
import { leaseTopic, takeCluster } from './cluster-lease.ts';
import { ClusterTools } from './cluster-tools.ts';
import { ExistingAdmin } from './existing-admin.ts';
import { askOnce, type ClusterLook, existingFacts, lookAtCluster } from './existing-facts.ts';
import { type ExistingRecord, readExistingRecord, writeExistingRecord } from './existing-record.ts';
import { ownPrefix } from './own-names.ts';
import { type LocalTools, localTools } from './tool-place.ts';

export interface ExistingLabOptions {
  readonly home: Home;
  /** The experiment key: names its topics, groups and folder. */
  readonly key: string;
  readonly plan: LabPlan;
  /** The most copies that a topic of the plan has. */
  readonly replication: number;
  /** The lease of the cluster counts until then (wall clock, ms since the epoch). */
  readonly expiresAtMs: number;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Somebody's cluster: topics whose names begin with `assay.<key>.` are ours, nothing else. Clients are capsules on this
 * machine, as in a local lab; the cluster is asked by Kafka's own tools, which read the client properties file as the loads
 * do. The object holds nothing, so any process of this home may open it, in any state.
 */
export function openExistingLab(options: ExistingLabOptions): Lab & { readonly admin: ExistingAdmin } {
  return new LabInSomebodysCluster(options);
}

class LabInSomebodysCluster implements Lab {
  readonly #options: ExistingLabOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #site: LabSite;
  readonly #bootstrapServers: string;
  readonly #clientProperties: string | null;
  readonly #cluster: ClusterTools;
  readonly admin: ExistingAdmin;
  #tools: Promise<LocalTools> | null = null;

  constructor(options: ExistingLabOptions) {
    const { existing } = options.plan;
    if (existing === undefined) throw new Error('this plan is of no existing cluster');
    this.#options = options;
    this.#env = options.env ?? process.env;
    this.#site = {
      key: options.key,
      folder: labFolder(options.home, options.key),
      machineDir: machineFolder(this.#env),
      kafkaCache: options.home.kafka,
    };
    this.#bootstrapServers = existing.bootstrapServers;
    this.#clientProperties = existing.clientProperties;
    this.#cluster = new ClusterTools({ ...existing, place: async () => (await this.#localTools()).place });
    this.admin = new ExistingAdmin({
      key: options.key,
      tools: this.#cluster,
      record: () => this.#record(),
    });
  }

  async provision(say: (text: string) => void, signal: AbortSignal): Promise<LabFacts> {
    this.#cluster.clientProperties();
    const tools = await this.#localTools(say, signal);
    say('asking the cluster who it is');
    const look = await lookAtCluster(this.#cluster, signal);
    this.#requireEnough(look);
    await archiveClasses(tools.place, told(listing, this.#bootstrapServers, this.#clientProperties));
    const record = this.#recordFor(look, tools);
    say('taking the lease of the cluster');
    const others = await takeCluster(this.#cluster, this.#options.key, record.lease, signal);
    return this.#facts(look, tools, others);
  }

  /** Brokers are not ours, and nothing tells one process from the next: what moved shows in leaders and in-sync replicas. */
  inspect(): Promise<LabState> {
    return Promise.resolve({ brokers: [], identity: 'not ours' });
  }

  /** What is lost is its owner's to bring back. */
  lost(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  repair(): Promise<LabState> {
    return this.inspect();
  }

  reconfigure(): never {
    throw new Error('brokers of an existing cluster are not ours to set; the plan should have refused this');
  }

  /** The loads first, then what is ours in the cluster, the lease last; folders only when all of that is gone. */
  async teardown(): Promise<void> {
    const signal = AbortSignal.timeout(TEARDOWN_LIMIT_MS);
    await Promise.all(this.#usedClients().map(killAll));
    const record = readExistingRecord(this.#site.folder);
    if (record !== null) {
      const { topics, groups } = await this.admin.own();
      await this.admin.deleteTopics(
        topics.filter((topic) => topic !== record.lease),
        signal,
      );
      await this.admin.deleteGroups(groups, signal);
      await this.admin.deleteTopic(record.lease, signal);
    }
    await teardownLab(this.#site);
  }

  async leaks(): Promise<Leftovers> {
    const here = await findLeaks(this.#site, []);
    try {
      const { topics, groups } = await this.admin.own();
      const there = [
        ...topics.map((topic) => `topic ${topic} in the Kafka cluster`),
        ...groups.map((group) => `consumer group ${group} in the Kafka cluster`),
      ];
      return { leaks: [...here, ...there], unverified: [] };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const names = `topics and groups ${ownPrefix(this.#options.key)}… in the Kafka cluster`;
      return { leaks: here, unverified: [`${names}: ${error.message}`] };
    }
  }

  client(name: string): Host {
    const { names } = this.#options.plan.clients;
    if (!names.includes(name)) throw new Error(`the lab has no client ${name}; it has ${names.join(', ')}`);
    return clientHost(this.#site, name);
  }

  javaCommand(mainClass: string, heapBytes: number): Command {
    const record = readLabRecord(this.#site.folder);
    if (record === null) throw noLab(this.#options.key);
    return clientCommand(record, this.#site.folder, mainClass, heapBytes);
  }

  samplerHosts(): readonly LabHost[] {
    const name = this.#options.plan.clients.names[0] ?? '';
    return [{ who: `client ${name}`, host: this.client(name) }];
  }

  /** This machine as that of the clients; its disk is not the brokers', so no device is watched. */
  async samplerTargets(): Promise<readonly SamplerTarget[]> {
    return [
      {
        host: this.client(this.#options.plan.clients.names[0] ?? ''),
        device: null,
        netInterfaces: await interfacesTowards(this.#bootstrapServers),
        brokerPids: {},
      },
    ];
  }

  logFiles(): Promise<readonly LogFiles[]> {
    throw new Error('files of an existing cluster are not to be seen; the plan should have refused this');
  }

  #usedClients(): readonly Host[] {
    const { names } = this.#options.plan.clients;
    return names
      .filter((name) => existsSync(join(this.#site.folder, 'clients', name)))
      .map((name) => this.client(name));
  }

  #localTools(
    say: (text: string) => void = () => undefined,
    signal: AbortSignal = AbortSignal.timeout(TOOLS_LIMIT_MS),
  ): Promise<LocalTools> {
    const { home, plan } = this.#options;
    this.#tools ??= localTools(home, plan.brokers.kafka, say, signal, this.#env).catch((error: unknown) => {
      this.#tools = null;
      throw error;
    });
    return this.#tools;
  }

  #requireEnough({ brokers }: ClusterLook): void {
    const { replication } = this.#options;
    if (brokers.length >= replication) return;
    throw new InfrastructureError(
      'too-few-brokers',
      `The plan has topics with ${replication} copies, and the cluster at ${this.#bootstrapServers} has ${brokers.length} brokers.`,
      `Lower topics.….replication to ${brokers.length}.`,
    );
  }

  #record(): ExistingRecord {
    const record = readExistingRecord(this.#site.folder);
    if (record === null) throw noLab(this.#options.key);
    return record;
  }

  /** Both records before anything is created in the cluster; a retry keeps what the first try wrote. */
  #recordFor(look: ClusterLook, { java, kafka }: LocalTools): ExistingRecord {
    const { key, plan, expiresAtMs } = this.#options;
    const { folder } = this.#site;
    const known = readExistingRecord(folder);
    if (known !== null) {
      requireSameCluster(known, look, this.#bootstrapServers);
      return known;
    }
    mkdirSync(folder, { recursive: true });
    writeFileSync(toolLogging(folder), TOOL_LOGGING);
    const lab: LabRecord = {
      format: 1,
      key,
      plan,
      expiresAtMs,
      clusterId: look.clusterId,
      java: { path: java.path, version: java.version },
      kafka,
      archive: null,
      pinning: { brokers: null, clients: null },
      nodes: [],
    };
    writeLabRecord(folder, lab);
    const record: ExistingRecord = {
      format: 1,
      key,
      clusterId: look.clusterId,
      brokers: look.brokers,
      brokerIds: placingOrder(look.brokers),
      lease: leaseTopic(key, expiresAtMs),
    };
    writeExistingRecord(folder, record);
    return record;
  }

  async #facts(
    look: ClusterLook,
    { java, kafka }: LocalTools,
    othersTopics: readonly string[],
  ): Promise<LabFacts> {
    const asked = await askOnce(this.#cluster, look.brokers[0]?.id ?? 0);
    return {
      bootstrapServers: this.#bootstrapServers,
      kafkaVersion: asked.kafkaVersion ?? 'an unknown version',
      javaVersion: java.version,
      clusterId: look.clusterId,
      jvmFlags: [],
      pinning: { brokers: null, clients: null },
      machine: clientMachine(this.#site.folder),
      brokerConfig: asked.brokerConfig ?? {},
      existing: existingFacts(look, this.#cluster, asked, { toolsVersion: kafka.version, othersTopics }),
    };
  }
}

const TOOLS_LIMIT_MS = 10 * 60_000;
const TEARDOWN_LIMIT_MS = 8 * 60_000;

async function killAll(host: Host): Promise<void> {
  await Promise.all((await host.list('')).map((name) => host.kill(name)));
}

function noLab(key: string): InfrastructureError {
  return new InfrastructureError(
    'no-lab',
    `The experiment ${key} has no place in an existing cluster on this machine.`,
    'It was torn down or never provisioned; start the experiment again.',
  );
}

function requireSameCluster(known: ExistingRecord, look: ClusterLook, bootstrapServers: string): void {
  if (known.clusterId === look.clusterId) return;
  throw new InfrastructureError(
    'other-cluster',
    `${bootstrapServers} is the cluster ${look.clusterId} now, and was ${known.clusterId} when the experiment began.`,
    'Let lab.bootstrap name brokers of one cluster, and start again.',
  );
}

/** Of the clients: where its files lie is no place of data. */
function clientMachine(folder: string): Readonly<Record<string, string>> {
  const { dataFilesystem: _fs, diskTotalGiB: _disk, ...facts } = machineFacts(folder);
  return facts;
}
