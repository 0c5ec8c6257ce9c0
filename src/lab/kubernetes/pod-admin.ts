import { parseBrokerLog } from '../broker-log.ts';
import { KafkaRefusal } from '../kafka-refusal.ts';
import type { BrokerEvent, LabAdmin, PartitionState } from '../lab.ts';
import { foldersBelow, whyNotReady } from '../topic-layout.ts';
import type { KafkaLook } from './kafka-look.ts';
import { askTools, NotYet, outputOf } from '../tools/ask-tools.ts';
import {
  alteration,
  common,
  creation,
  deletion,
  describe,
  election,
  listing,
  logDirs,
  offsets,
  settingsOf,
  type Topic,
  underReplicated,
} from '../tools/calls.ts';
import { type BrokerSetting, parseConfigs } from '../tools/configs-output.ts';
import { type DescribedPartition, parseDescribe } from '../tools/describe-output.ts';
import { answeringPartitions } from '../tools/known-topic.ts';
import { brokersAnswering, parseLogDirs } from '../tools/log-dirs-output.ts';
import { parseOffsets, recordsBetween } from '../tools/offsets-output.ts';
import { runTools, type ToolCall, type ToolPlace } from '../tools/run-tools.ts';
import type { ToolRun } from '../tools/tool-error.ts';

/** One broker, as its admin sees it. */
export interface AdminBroker {
  readonly name: string;
  readonly nodeId: number;
}

/** How the admin reaches the lab; asked anew at each call, since pods come and go. */
export interface AdminWays {
  readonly brokers: readonly AdminBroker[];
  readonly bootstrapServers: string;
  /** A client pod in which tools can be run. */
  tools(): Promise<ToolPlace>;
  /** What lies on a broker's disk of topics whose names begin so. Rejects when its pod does not answer. */
  look(broker: AdminBroker, prefix: string): Promise<KafkaLook>;
  /** What a broker has logged since then, each line with its time. */
  log(broker: AdminBroker, sinceMs: number): Promise<string>;
  isAlive(name: string): Promise<boolean>;
}

const READY_LIMIT_MS = 90_000;
const ASK_LIMIT_MS = 30_000;
const TOOL_LIMIT_MS = 30_000;
/** Nodes and worker each have a clock of their own; an event before prepare disturbs no verdict on a fresh topic. */
const CLOCKS_APART_MS = 1_000;

/**
 * The admin of a kubernetes lab: no connection to a broker is made from here. Topics, offsets and settings are asked with
 * Kafka's own tools inside a client pod, several by one exec, since each is a JVM; what lies on disks is looked
 * at in the brokers' pods, and their logs are read from the API server.
 */
export class PodAdmin implements LabAdmin {
  readonly #ways: AdminWays;

  constructor(ways: AdminWays) {
    this.#ways = ways;
  }

  async createTopic(topic: Topic, signal: AbortSignal): Promise<readonly PartitionState[]> {
    const what = `creating topic ${topic.name}`;
    const ids = this.#ways.brokers.map((b) => b.nodeId);
    if (topic.replication > ids.length)
      throw new KafkaRefusal(
        'INVALID_REPLICATION_FACTOR',
        `topic ${topic.name} wants ${topic.replication} replicas; the lab has ${ids.length} brokers`,
      );
    const create = creation(topic, ids);
    let created = false;
    return askTools(
      what,
      READY_LIMIT_MS,
      async () => {
        const looks: ToolCall[] = [
          { ...describe(topic.name), ...(created ? {} : { after: true }) },
          offsets(topic.name, 'latest'),
        ];
        const runs = await this.#run(created ? looks : [create, ...looks]);
        if (!created) outputOf(what, runs[0]);
        created = true;
        return this.#ready(topic, runs.at(-2), runs.at(-1));
      },
      signal,
    );
  }

  topics(prefix: string): Promise<readonly string[]> {
    return askTools('listing topics', ASK_LIMIT_MS, async () => {
      const [run] = await this.#run([listing]);
      const names = outputOf('listing topics', run).split('\n');
      return names.filter((name) => name !== '' && name.startsWith(prefix));
    });
  }

  describeTopic(name: string): Promise<readonly PartitionState[]> {
    const what = `describing topic ${name}`;
    return askTools(what, ASK_LIMIT_MS, async () => {
      const [run] = await this.#run([describe(name)]);
      return this.#withEpochs(name, parseDescribe(outputOf(what, run)));
    });
  }

  recordsInLog(name: string): Promise<number> {
    const what = `asking offsets of ${name}`;
    return askTools(what, ASK_LIMIT_MS, async () => {
      const runs = await this.#run([describe(name), offsets(name, 'earliest'), offsets(name, 'latest')]);
      const [described = '', earliest = '', latest = ''] = runs.map((run) => outputOf(what, run));
      const partitions = parseDescribe(described).length;
      const records = recordsBetween(parseOffsets(earliest, name), parseOffsets(latest, name), partitions);
      if (records === null) throw new NotYet('a partition has no leader that answers');
      return records;
    });
  }

  bytesOnDisk(name: string): Promise<number> {
    const what = `asking log directories for ${name}`;
    return askTools(what, ASK_LIMIT_MS, async () => {
      const [run] = await this.#run([logDirs(name)]);
      const bytes = parseLogDirs(outputOf(what, run), name);
      if (bytes.size < this.#ways.brokers.length) throw new NotYet('a broker is missing');
      return [...bytes.values()].reduce((sum, one) => sum + one, 0);
    });
  }

  async deleteTopic(name: string, signal: AbortSignal): Promise<void> {
    const what = `deleting topic ${name}`;
    await askTools(
      what,
      READY_LIMIT_MS,
      async () => {
        const [run] = await this.#run([deletion(name)]);
        outputOf(what, run);
      },
      signal,
    );
  }

  async foldersLeft(prefix: string, except: readonly string[] = []): Promise<readonly string[]> {
    const each = await this.#ofLiving((broker) => this.#ways.look(broker, prefix));
    return each.flatMap(([{ name }, { folders }]) =>
      foldersBelow(folders, prefix, except).map((folder) => `${name}/${folder}`),
    );
  }

  async brokerEvents(sinceMs: number, topic: string): Promise<readonly BrokerEvent[]> {
    const fromMs = sinceMs - CLOCKS_APART_MS;
    const events = await Promise.all(
      this.#ways.brokers.map(async (broker) =>
        parseBrokerLog(broker.name, await this.#ways.log(broker, fromMs), fromMs, topic),
      ),
    );
    return events.flat().toSorted((a, b) => a.atMs - b.atMs);
  }

  /** Why the brokers cannot be measured yet; null = all are registered, and every partition has its full ISR. */
  async whyNotWhole(): Promise<string | null> {
    // a topic of no name: only who answers is of interest
    const [dirs, short] = await this.#run([logDirs('none'), underReplicated]);
    const up = brokersAnswering(outputOf('asking who is registered', dirs));
    const count = this.#ways.brokers.length;
    if (up.length < count) return `${up.length} of ${count} brokers up`;
    const partitions = parseDescribe(outputOf('asking for the in-sync replicas', short));
    return partitions.length === 0 ? null : `replicas of ${partitions.length} partitions have to catch up`;
  }

  /** Lets every partition be led by its preferred leader. */
  async electPreferredLeaders(signal: AbortSignal): Promise<void> {
    const what = 'electing preferred leaders';
    await askTools(
      what,
      ASK_LIMIT_MS,
      async () => {
        const [run] = await this.#run([election]);
        outputOf(what, run);
      },
      signal,
    );
  }

  /** All settings of a broker. */
  brokerSettings(nodeId: number): Promise<ReadonlyMap<string, BrokerSetting>> {
    return askTools('reading broker settings', ASK_LIMIT_MS, async () => {
      const [run] = await this.#run([settingsOf(nodeId)]);
      return parseConfigs(outputOf('reading broker settings', run));
    });
  }

  /**
   * Alters settings of every running broker; null takes an altered one back. Waits until every broker has them.
   */
  async alterBrokers(changes: ReadonlyMap<string, string | null>, signal: AbortSignal): Promise<void> {
    if (changes.size === 0) return;
    const { brokers } = this.#ways;
    const what = `altering ${[...changes.keys()].join(', ')} of running brokers`;
    let altered = false;
    await askTools(
      what,
      READY_LIMIT_MS,
      async () => {
        if (!altered) {
          const runs = await this.#run(brokers.map(({ nodeId }) => alteration(nodeId, changes)));
          for (const run of runs) outputOf(what, run);
        }
        altered = true;
        const found = await this.#run(brokers.map(({ nodeId }) => settingsOf(nodeId)));
        for (const run of found)
          if (!has(parseConfigs(outputOf(what, run)), changes))
            throw new NotYet('a broker has not taken them yet');
      },
      signal,
    );
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #run(calls: readonly ToolCall[]): Promise<readonly ToolRun[]> {
    const place = await this.#ways.tools();
    const { bootstrapServers } = this.#ways;
    const settings = `${place.folder}/admin.properties`;
    return runTools(
      place,
      calls.map((call) => ({ ...call, args: [...common(call, bootstrapServers, settings), ...call.args] })),
      TOOL_LIMIT_MS,
    );
  }

  /** Ready for load: full ISR, preferred leaders, even spread, every leader answers and has written down its epoch. */
  async #ready(topic: Topic, described?: ToolRun, latest?: ToolRun): Promise<readonly PartitionState[]> {
    const found = answeringPartitions(topic.name, described, latest);
    const partitions = await this.#withEpochs(topic.name, found);
    const why = whyNotReady(partitions, this.#ways.brokers.length);
    if (why !== null) throw new NotYet(why);
    return partitions;
  }

  /** Leader epochs are in no tool's answer: each leader has its own in a file. */
  async #withEpochs(
    topic: string,
    partitions: readonly DescribedPartition[],
  ): Promise<readonly PartitionState[]> {
    const leaders = new Set(partitions.map((p) => p.leader));
    const looks = await Promise.all(
      this.#ways.brokers
        .filter(({ nodeId }) => leaders.has(nodeId))
        .map(async (broker) => [broker.nodeId, await this.#ways.look(broker, `${topic}-`)] as const),
    );
    const byLeader = new Map(looks);
    return partitions.map(({ partition, leader, replicas, isr }) => {
      const leaderEpoch = byLeader.get(leader)?.epochs.get(`${topic}-${partition}`);
      if (leader >= 0 && leaderEpoch === undefined)
        throw new NotYet(`the leader of partition ${partition} has not written down its epoch yet`);
      return { partition, leader, leaderEpoch: leaderEpoch ?? -1, replicas, isr };
    });
  }

  async #ofLiving<T>(
    ask: (broker: AdminBroker) => Promise<T>,
  ): Promise<readonly (readonly [AdminBroker, T])[]> {
    const answers = await Promise.all(
      this.#ways.brokers.map(async (broker) => {
        if (!(await this.#ways.isAlive(broker.name))) return [];
        return [[broker, await ask(broker)] as const];
      }),
    );
    return answers.flat();
  }
}

function has(
  found: ReadonlyMap<string, BrokerSetting>,
  changes: ReadonlyMap<string, string | null>,
): boolean {
  return [...changes].every(([name, wanted]) => {
    const now = found.get(name);
    return wanted === null ? now?.isAltered !== true : now?.value === wanted;
  });
}
