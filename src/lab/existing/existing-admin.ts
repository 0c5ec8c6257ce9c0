import { InfrastructureError } from '../errors.ts';
import { NotYet, outputOf } from '../tools/ask-tools.ts';
import { creation, deletion, describe, listing, logDirs, offsets, type Topic } from '../tools/calls.ts';
import { type DescribedPartition, parseDescribe } from '../tools/describe-output.ts';
import { answeringPartitions } from '../tools/known-topic.ts';
import { parseLogDirs } from '../tools/log-dirs-output.ts';
import { parseOffsets, recordsBetween } from '../tools/offsets-output.ts';
import type { ToolRun } from '../tools/tool-error.ts';
import type { BrokerEvent, LabAdmin, PartitionState } from '../lab.ts';
import { whyNotReady } from '../topic-layout.ts';
import { groupDeletion, groupsCall, parseNames } from './cluster-calls.ts';
import type { ClusterTools } from './cluster-tools.ts';
import { namePattern, ownName, ownPrefix } from './own-names.ts';

const READY_LIMIT_MS = 90_000;
const ASK_LIMIT_MS = 30_000;
/** No tool tells leader epochs: the same before and after, so that a verdict finds no change in them. */
const EPOCH_NOT_SEEN = -1;

export interface ExistingAdminOptions {
  readonly key: string;
  readonly tools: ClusterTools;
  /** Ids of the brokers in the order in which replicas are placed, and the topic that is the lease. */
  readonly record: () => { readonly brokerIds: readonly number[]; readonly lease: string };
}

/**
 * The admin of an experiment in somebody's cluster. Every name that is created or deleted is checked to be the
 * experiment's own; settings of brokers, other topics and other groups are never written.
 */
export class ExistingAdmin implements LabAdmin {
  readonly #key: string;
  readonly #tools: ClusterTools;
  readonly #record: ExistingAdminOptions['record'];
  /** Topic → partitions, which never change: what was asked once needs no JVM again. */
  readonly #partitions = new Map<string, number>();

  constructor({ key, tools, record }: ExistingAdminOptions) {
    this.#key = key;
    this.#tools = tools;
    this.#record = record;
  }

  async createTopic(topic: Topic, signal: AbortSignal): Promise<readonly PartitionState[]> {
    const what = `creating topic ${topic.name}`;
    const pattern = namePattern(this.#key, topic.name);
    const { brokerIds } = this.#record();
    const create = creation(topic, this.#enough(topic, brokerIds));
    let created = false;
    return this.#tools.until(
      what,
      READY_LIMIT_MS,
      async () => {
        const looks = [
          { ...describe(pattern), ...(created ? {} : { after: true as const }) },
          offsets(pattern, 'latest'),
          listing,
        ];
        const runs = await this.#tools.run(created ? looks : [create, ...looks]);
        if (!created) outputOf(what, runs[0]);
        created = true;
        this.#requireLease(outputOf(what, runs.at(-1)));
        return this.#known(topic.name, ready(topic, brokerIds.length, runs.at(-3), runs.at(-2)));
      },
      signal,
    );
  }

  topics(prefix: string): Promise<readonly string[]> {
    return this.#tools.until('listing topics', ASK_LIMIT_MS, async () => {
      const [run] = await this.#tools.run([listing]);
      return parseNames(outputOf('listing topics', run), prefix);
    });
  }

  /** All topics of the experiment, its lease included, and all its consumer groups. */
  own(): Promise<{ readonly topics: readonly string[]; readonly groups: readonly string[] }> {
    const what = `looking for names that begin with ${ownPrefix(this.#key)}`;
    return this.#tools.until(what, ASK_LIMIT_MS, async () => {
      const runs = await this.#tools.run([listing, groupsCall]);
      const [topics = [], groups = []] = runs.map((run) =>
        parseNames(outputOf(what, run), ownPrefix(this.#key)),
      );
      return { topics, groups };
    });
  }

  describeTopic(name: string): Promise<readonly PartitionState[]> {
    const what = `describing topic ${name}`;
    const pattern = namePattern(this.#key, name);
    return this.#tools.until(what, ASK_LIMIT_MS, async () => {
      const [run] = await this.#tools.run([describe(pattern)]);
      return this.#known(name, parseDescribe(outputOf(what, run)).map(stateOf));
    });
  }

  recordsInLog(name: string): Promise<number> {
    const what = `asking offsets of ${name}`;
    const pattern = namePattern(this.#key, name);
    return this.#tools.until(what, ASK_LIMIT_MS, async () => {
      const known = this.#partitions.get(name);
      const looks = [offsets(pattern, 'earliest'), offsets(pattern, 'latest')];
      const runs = await this.#tools.run(known === undefined ? [...looks, describe(pattern)] : looks);
      const [earliest = '', latest = '', described = ''] = runs.map((run) => outputOf(what, run));
      const partitions = known ?? parseDescribe(described).length;
      const records = recordsBetween(parseOffsets(earliest, name), parseOffsets(latest, name), partitions);
      if (records === null) throw new NotYet('a partition has no leader that answers');
      return records;
    });
  }

  bytesOnDisk(name: string): Promise<number> {
    const what = `asking log directories for ${name}`;
    return this.#tools.until(what, ASK_LIMIT_MS, async () => {
      const [run] = await this.#tools.run([logDirs(ownName(this.#key, name))]);
      const bytes = parseLogDirs(outputOf(what, run), name);
      return [...bytes.values()].reduce((sum, one) => sum + one, 0);
    });
  }

  deleteTopic(name: string, signal: AbortSignal): Promise<void> {
    return this.deleteTopics([name], signal);
  }

  /** Those that are not there are no failure. */
  async deleteTopics(names: readonly string[], signal: AbortSignal): Promise<void> {
    if (names.length === 0) return;
    const what = `deleting topic ${names.join(', ')}`;
    const patterns = names.map((name) => namePattern(this.#key, name));
    await this.#tools.until(
      what,
      READY_LIMIT_MS,
      async () => {
        const [run] = await this.#tools.run([deletion(patterns.join('|'))]);
        outputOf(what, run);
      },
      signal,
    );
  }

  /** Disks of the brokers are not seen: a topic is gone when no broker names it any more. */
  async foldersLeft(prefix: string, except: readonly string[] = []): Promise<readonly string[]> {
    const left = (await this.topics(prefix)).filter((name) => !except.includes(name));
    return left.map((name) => `topic ${name}`);
  }

  /** Logs of the brokers are not seen. */
  brokerEvents(): Promise<readonly BrokerEvent[]> {
    return Promise.resolve([]);
  }

  /** A group is deleted when no member is left in it; the coordinator may take a session timeout to see that. */
  async deleteGroups(groups: readonly string[], signal: AbortSignal): Promise<void> {
    if (groups.length === 0) return;
    const call = groupDeletion(groups.map((group) => ownName(this.#key, group)));
    const what = 'deleting consumer groups';
    await this.#tools.until(
      what,
      READY_LIMIT_MS,
      async () => {
        const [run] = await this.#tools.run([call]);
        if (run !== undefined && /GroupNotEmpty/.test(run.stdout + run.stderr))
          throw new NotYet('a group still has a member');
        if (run !== undefined && /GroupIdNotFound/.test(run.stdout + run.stderr)) return;
        outputOf(what, run);
      },
      signal,
    );
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #known(name: string, partitions: readonly PartitionState[]): readonly PartitionState[] {
    this.#partitions.set(name, partitions.length);
    return partitions;
  }

  #enough({ name, replication }: Topic, brokerIds: readonly number[]): readonly number[] {
    if (replication <= brokerIds.length) return brokerIds;
    throw new InfrastructureError(
      'too-few-brokers',
      `Topic ${name} wants ${replication} copies; the cluster has ${brokerIds.length} brokers.`,
      `Lower topics.….replication to ${brokerIds.length}.`,
    );
  }

  /** Before each load: an experiment whose lease somebody deleted measures nothing more. */
  #requireLease(listed: string): void {
    const { lease } = this.#record();
    if (parseNames(listed, lease).includes(lease)) return;
    throw new InfrastructureError(
      'lease-lost',
      `The topic ${lease} is gone, which kept this Kafka cluster for the experiment: another one may be measuring.`,
      'Start again when nobody else measures there.',
    );
  }
}

/** Ready for load: full ISR, preferred leaders, even spread, every leader answers. */
function ready(
  topic: Topic,
  brokers: number,
  described: ToolRun | undefined,
  latest: ToolRun | undefined,
): readonly PartitionState[] {
  const partitions = answeringPartitions(topic.name, described, latest).map(stateOf);
  const why = whyNotReady(partitions, brokers);
  if (why !== null) throw new NotYet(why);
  return partitions;
}

function stateOf({ partition, leader, replicas, isr }: DescribedPartition): PartitionState {
  return { partition, leader, leaderEpoch: EPOCH_NOT_SEEN, replicas, isr };
}
