import {
  Admin,
  ConfigResourceTypes,
  IncrementalAlterConfigOperationTypes,
  metadataV12,
} from '@platformatic/kafka';
import type { ConfigDescription, Connection } from '@platformatic/kafka';
import { KafkaRefusal } from '../kafka-refusal.ts';
import type { BrokerEvent, LabAdmin, PartitionState } from '../lab.ts';
import { placeReplicas, whyNotReady } from '../topic-layout.ts';
import { until } from '../wait.ts';
import { readBrokerLog } from './broker-log.ts';
import { askKafka, kafkaCodes } from './kafka-errors.ts';
import { brokerLog } from './java-command.ts';
import { foldersOfTopics, toPartitions } from './topic-layout.ts';

/** What the admin needs to know of each broker, asked anew at each call: a repaired broker is another process. */
export interface AdminTarget {
  readonly nodeId: number;
  readonly name: string;
  readonly port: number;
  readonly folder: string;
}

type Topic = {
  name: string;
  partitions: number;
  replication: number;
  config: Readonly<Record<string, string>>;
};

const READY_LIMIT_MS = 60_000;
const ASK_LIMIT_MS = 20_000;
/** Kafka's number for a setting that was altered in the running broker. */
const ALTERED_SOURCE = 2;

interface BrokerSetting {
  readonly value: string | null;
  readonly isAltered: boolean;
}

/** The admin of a local lab. Connections open at the first question and close with close(); after that it can be asked again. */
export class KafkaAdmin implements LabAdmin {
  readonly #targets: () => readonly AdminTarget[];
  readonly #isAlive: (name: string) => Promise<boolean>;
  #admin: Admin | null = null;

  constructor(targets: () => readonly AdminTarget[], isAlive: (name: string) => Promise<boolean>) {
    this.#targets = targets;
    this.#isAlive = isAlive;
  }

  async createTopic(topic: Topic, signal: AbortSignal): Promise<readonly PartitionState[]> {
    await askKafka(`creating topic ${topic.name}`, READY_LIMIT_MS, () => this.#create(topic), signal);
    const ready = await until(async () => this.#readyEverywhere(topic.name), {
      everyMs: 100,
      limitMs: READY_LIMIT_MS,
      signal,
    });
    if (ready !== undefined) return ready;
    const now = await this.describeTopic(topic.name);
    throw new Error(
      `topic ${topic.name} is not ready after ${READY_LIMIT_MS / 1000} s: ${whyNotReady(now, this.#targets().length) ?? 'a broker does not know it yet'}`,
    );
  }

  async describeTopic(name: string): Promise<readonly PartitionState[]> {
    return askKafka(`describing topic ${name}`, ASK_LIMIT_MS, async () => {
      const partitions = (await this.#metadata([name])).get(name);
      if (partitions === undefined)
        throw new KafkaRefusal('UNKNOWN_TOPIC_OR_PARTITION', `topic ${name} does not exist`);
      return partitions;
    });
  }

  async recordsInLog(name: string): Promise<number> {
    const partitions = await this.describeTopic(name);
    return askKafka(`asking offsets of ${name}`, ASK_LIMIT_MS, async () => {
      const [latest, earliest] = [
        await this.#offsets(name, partitions, -1n),
        await this.#offsets(name, partitions, -2n),
      ];
      return Number(latest - earliest);
    });
  }

  async bytesOnDisk(name: string): Promise<number> {
    const partitions = (await this.describeTopic(name)).map((p) => p.partition);
    return askKafka(`asking log directories for ${name}`, ASK_LIMIT_MS, async () => {
      const brokers = await this.#client().describeLogDirs({ topics: [{ name, partitions }] });
      if (brokers.length < this.#targets().length)
        throw Object.assign(new Error('a broker is missing'), { code: 'PLT_KFK_NETWORK' });
      const sizes = brokers.flatMap((b) =>
        b.results.flatMap((r) => r.topics.flatMap((t) => t.partitions.map((p) => p.partitionSize))),
      );
      return Number(sizes.reduce((sum, size) => sum + size, 0n));
    });
  }

  async deleteTopic(name: string, signal: AbortSignal): Promise<void> {
    await askKafka(`deleting topic ${name}`, READY_LIMIT_MS, () => this.#delete(name), signal);
  }

  async foldersLeft(prefix: string, except: readonly string[] = []): Promise<readonly string[]> {
    const left: string[] = [];
    for (const target of this.#targets()) {
      const folders = foldersOfTopics(target.folder, prefix, except);
      if (folders.length > 0 && (await this.#isAlive(target.name)))
        left.push(...folders.map((f) => `${target.name}/${f}`));
    }
    return left;
  }

  brokerEvents(sinceMs: number, topic: string): Promise<readonly BrokerEvent[]> {
    const events = this.#targets().flatMap((t) => readBrokerLog(t.name, brokerLog(t), sinceMs, topic));
    return Promise.resolve(events.sort((a, b) => a.atMs - b.atMs));
  }

  /** Node ids of the brokers that the cluster knows and lets serve, by the answer of any of them. */
  async registeredBrokers(): Promise<readonly number[]> {
    const connection = await this.#anyConnection();
    return (await metadataV12.api.async(connection, [], false, false)).brokers.map((b) => b.nodeId);
  }

  async topics(prefix: string): Promise<readonly string[]> {
    return askKafka('listing topics', ASK_LIMIT_MS, async () =>
      [...(await this.#metadata(null)).keys()].filter((name) => name.startsWith(prefix)),
    );
  }

  /** Partitions of all topics, internal ones too, whose ISR lacks a replica; each named. */
  async underReplicated(): Promise<readonly string[]> {
    const all = await this.#metadata(null);
    return [...all].flatMap(([topic, partitions]) =>
      partitions.filter((p) => p.isr.length < p.replicas.length).map((p) => `${topic}-${p.partition}`),
    );
  }

  /** Effective settings of a broker with their origin: `8 (default)`, `1000 (set)`. */
  async brokerSettings(
    nodeId: number,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, BrokerSetting>> {
    return askKafka('reading broker settings', ASK_LIMIT_MS, async () => {
      const resources = [
        {
          resourceType: ConfigResourceTypes.BROKER,
          resourceName: String(nodeId),
          configurationKeys: [...names],
        },
      ];
      const answer: readonly ConfigDescription[] = await this.#client().describeConfigs({ resources });
      return new Map(
        (answer[0]?.configs ?? []).map((c) => [
          c.name,
          {
            value: c.value ?? null,
            isAltered: c.configSource === ALTERED_SOURCE,
          },
        ]),
      );
    });
  }

  /**
   * Alters settings of every running broker; null takes an altered one back. Waits until
   * every broker has them.
   */
  async alterBrokers(changes: ReadonlyMap<string, string | null>, signal: AbortSignal): Promise<void> {
    if (changes.size === 0) return;
    const { SET, DELETE } = IncrementalAlterConfigOperationTypes;
    const configs = [...changes].map(([name, value]) =>
      value === null ? { name, configOperation: DELETE } : { name, configOperation: SET, value },
    );
    // one by one: this client takes the empty name, the cluster's default, for a broker 0
    const resources = this.#targets().map(({ nodeId }) => ({
      resourceType: ConfigResourceTypes.BROKER,
      resourceName: String(nodeId),
      configs,
    }));
    await askKafka(
      `altering ${[...changes.keys()].join(', ')} of running brokers`,
      ASK_LIMIT_MS,
      () => this.#client().incrementalAlterConfigs({ resources }),
      signal,
    );
    const everywhere = await until(async () => ((await this.#allHave(changes)) ? true : undefined), {
      everyMs: 100,
      limitMs: READY_LIMIT_MS,
      signal,
    });
    if (everywhere === undefined)
      throw new Error(
        `the brokers did not take ${[...changes.keys()].join(', ')} within ${READY_LIMIT_MS / 1000} s`,
      );
  }

  async #allHave(changes: ReadonlyMap<string, string | null>): Promise<boolean> {
    const names = [...changes.keys()];
    for (const { nodeId } of this.#targets()) {
      const found = await this.brokerSettings(nodeId, names);
      const differs = names.some((name) => {
        const wanted = changes.get(name) ?? null;
        const now = found.get(name);
        return wanted === null ? now?.isAltered === true : now?.value !== wanted;
      });
      if (differs) return false;
    }
    return true;
  }

  async close(): Promise<void> {
    const admin = this.#admin;
    this.#admin = null;
    await admin?.close();
  }

  #client(): Admin {
    // own retries: the client's wait a whole second each
    this.#admin ??= new Admin({
      clientId: 'assay-admin',
      bootstrapBrokers: this.#targets().map((t) => ({ host: '127.0.0.1', port: t.port })),
      retries: 0,
      timeout: 10_000,
      connectTimeout: 2000,
    });
    return this.#admin;
  }

  async #anyConnection(): Promise<Connection> {
    let last: unknown = Object.assign(new Error('no broker answers'), { code: 'PLT_KFK_NETWORK' });
    for (const target of this.#targets()) {
      try {
        return await this.#connection(target.nodeId);
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  /** A connection to one broker. Throws while the cluster does not list it. */
  async #connection(nodeId: number): Promise<Connection> {
    const found = (await this.#client().connectToBrokers([nodeId])).get(nodeId);
    if (found === undefined)
      throw Object.assign(new Error(`broker ${nodeId} is not registered`), { code: 'PLT_KFK_NETWORK' });
    return found;
  }

  /** Partitions by topic as one broker (default: any) sees them; unknown topics are absent. null = all topics. */
  async #metadata(
    topics: string[] | null,
    nodeId?: number,
  ): Promise<ReadonlyMap<string, readonly PartitionState[]>> {
    const connection = nodeId === undefined ? await this.#anyConnection() : await this.#connection(nodeId);
    try {
      const { topics: found } = await metadataV12.api.async(connection, topics, false, false);
      return new Map(found.map((t) => [t.name ?? '', toPartitions(t.partitions)]));
    } catch (error) {
      const codes = kafkaCodes(error);
      if (codes.length > 0 && codes.every((code) => code === 'UNKNOWN_TOPIC_OR_PARTITION')) return new Map();
      throw error;
    }
  }

  /** Replicas are placed by rule, partition p led by broker p mod n: the same for every attempt, leaders spread evenly. */
  async #create(topic: Topic): Promise<void> {
    const ids = this.#targets().map((t) => t.nodeId);
    if (topic.replication > ids.length)
      throw new KafkaRefusal(
        'INVALID_REPLICATION_FACTOR',
        `topic ${topic.name} wants ${topic.replication} replicas; the lab has ${ids.length} brokers`,
      );
    const assignments = placeReplicas(topic.partitions, topic.replication, ids);
    const configs = Object.entries(topic.config).map(([name, value]) => ({ name, value }));
    try {
      await this.#client().createTopics({
        topics: [{ topic: topic.name, assignments }],
        partitions: -1,
        replicas: -1,
        configs,
      });
    } catch (error) {
      if (!kafkaCodes(error).includes('TOPIC_ALREADY_EXISTS')) throw error;
    }
  }

  async #delete(name: string): Promise<void> {
    try {
      await this.#client().deleteTopics({ topics: [name] });
    } catch (error) {
      if (!kafkaCodes(error).includes('UNKNOWN_TOPIC_OR_PARTITION')) throw error;
    }
  }

  /** Ready for load: every broker knows the topic and agrees; full ISR, preferred leaders, even spread. */
  async #readyEverywhere(name: string): Promise<readonly PartitionState[] | undefined> {
    try {
      const views = await Promise.all(
        this.#targets().map(async (t) => (await this.#metadata([name], t.nodeId)).get(name)),
      );
      const [first] = views;
      if (
        first === undefined ||
        views.some((view) => view === undefined || JSON.stringify(view) !== JSON.stringify(first))
      )
        return undefined;
      return whyNotReady(first, this.#targets().length) === null ? first : undefined;
    } catch {
      return undefined;
    }
  }

  async #offsets(name: string, partitions: readonly PartitionState[], timestamp: bigint): Promise<bigint> {
    const asked = partitions.map((p) => ({ partitionIndex: p.partition, timestamp }));
    const topics = await this.#client().listOffsets({ topics: [{ name, partitions: asked }] });
    const found = topics.flatMap((t) => t.partitions);
    if (found.length !== asked.length)
      throw Object.assign(new Error(`offsets of ${found.length} of ${asked.length} partitions`), {
        code: 'PLT_KFK_NETWORK',
      });
    return found.reduce((sum, p) => sum + p.offset, 0n);
  }
}
