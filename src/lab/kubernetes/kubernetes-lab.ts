import type { LabPlan } from '../../design/plan.ts';
import { dynamicChanges, withSettings } from '../broker-settings.ts';
import { InfrastructureError } from '../errors.ts';
import type { Host } from '../host.ts';
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
import { topicOfFolder } from '../topic-layout.ts';
import { type Cluster, isClusterError } from './api/cluster.ts';
import {
  awaitWhole,
  type BrokerPlace,
  brokerPlaces,
  restartBrokers,
  stateOf,
  type Watch,
} from './broker-pods.ts';
import { clientJava } from './client-java.ts';
import { remakeClients } from './client-pods.ts';
import { kubernetesFacts, shownBrokerConfig } from './kubernetes-facts.ts';
import type { LabMaker } from './lab-maker.ts';
import { isAlive, readLabPods } from './lab-pods.ts';
import { mapVolumes, refuseMismatch } from './lab-volumes.ts';
import { type LabDesign, labDesign } from './objects/lab-design.ts';
import { BROKER_CONTAINER, BROKER_PORT, type LabNames, labNames } from './objects/names.ts';
import { PodAdmin } from './pod-admin.ts';
import { PodMemory } from './pod-memory.ts';
import { bringToolFiles, KAFKA_HOME, LOG_DIR, lookAtKafka, openPod, type PodWay } from './pod-ways.ts';
import { awaitPods } from './pods-ready.ts';
import { listing } from '../tools/calls.ts';
import { archiveClasses } from '../tools/run-tools.ts';

export interface KubernetesLabOptions {
  readonly cluster: Cluster;
  readonly key: string;
  readonly plan: LabPlan;
  readonly maker: LabMaker;
}

/** The log of a broker since a while; INFO lines of an hour are a few MiB. */
const LOG_LIMIT_BYTES = 64 * 1024 ** 2;

/**
 * A lab of pods: brokers in a StatefulSet, clients in pods of their own. The object keeps nothing but what it has seen of
 * pods that still live, so any process may open it, in any state of the lab. No connection to a broker is ever made.
 */
export function openKubernetesLab(options: KubernetesLabOptions): Lab {
  const { cluster, plan, key } = options;
  if (plan.kubernetes === undefined) throw new Error('this plan has no kubernetes lab');
  const names = labNames(plan.kubernetes, key);
  const places = brokerPlaces({ plan, names });
  const brokers = places.map(({ name, pod }) => ({ role: 'broker', name, pod }) as const);
  const clients = plan.clients.names.map(
    (name) => ({ role: 'client', name, pod: names.clientPod(name) }) as const,
  );
  const ways = [...brokers, ...clients].map((who) => openPod(cluster, names.namespace, who));
  return new LabOfPods(options, names, places, ways);
}

class LabOfPods implements Lab {
  readonly #options: KubernetesLabOptions;
  readonly #cluster: Cluster;
  readonly #names: LabNames;
  readonly #places: readonly BrokerPlace[];
  readonly #ways: readonly PodWay[];
  readonly #memory: PodMemory;
  readonly admin: PodAdmin;

  constructor(
    options: KubernetesLabOptions,
    names: LabNames,
    places: readonly BrokerPlace[],
    ways: readonly PodWay[],
  ) {
    this.#options = options;
    this.#cluster = options.cluster;
    this.#names = names;
    this.#places = places;
    this.#ways = ways;
    this.#memory = new PodMemory();
    this.admin = new PodAdmin({
      brokers: places,
      bootstrapServers: this.#bootstrapServers(),
      tools: () => bringToolFiles(this.#way('client', options.plan.clients.names[0] ?? '')),
      look: ({ name }, prefix) => lookAtKafka(this.#way('broker', name), prefix),
      log: ({ name }, sinceMs) => this.#log(name, sinceMs),
      isAlive: async (name) => (await this.inspect()).brokers.some((b) => b.name === name && b.alive),
    });
  }

  async provision(say: (text: string) => void, signal: AbortSignal): Promise<LabFacts> {
    const watch = { say, signal };
    const ids = await this.#options.maker.provision(watch);
    const design = labDesign(this.#options.plan, ids);
    await this.#bringUp(design, watch);
    return this.#facts(design, watch);
  }

  async inspect(): Promise<LabState> {
    return stateOf(this.#places, await this.#pods());
  }

  async repair(say: (text: string) => void, signal: AbortSignal): Promise<LabState> {
    const watch = { say, signal };
    const design = await this.#design();
    await remakeClients(this.#cluster, design, watch);
    await this.#bringUp(design, watch);
    // Last: a client that is not ready yet is still a lost one.
    await this.#options.maker.adoptClients(await this.#pods());
    return this.inspect();
  }

  async lost(): Promise<readonly string[]> {
    const pods = await this.#pods();
    const known = await this.#options.maker.clientUids();
    const lost = this.#ways.filter(({ role, pod: name }) => {
      const pod = pods.get(name);
      if (!isAlive(pod)) return true;
      return role === 'client' && (known.get(name) ?? pod.uid) !== pod.uid;
    });
    return lost.map(({ role, name }) => `${role} ${name}`);
  }

  async reconfigure(
    settings: BrokerSettings,
    say: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>> {
    const { plan } = this.#options;
    const brokers = withSettings(plan.brokers, settings);
    if (settings.apply === 'dynamic') {
      say('altering the running brokers');
      await this.admin.alterBrokers(dynamicChanges(settings), signal);
    } else {
      const watch = { say, signal };
      await restartBrokers(this.#cluster, await this.#design(), brokers, watch);
      await awaitWhole(this.admin, watch);
    }
    return shownBrokerConfig(this.admin, brokers);
  }

  teardown(): Promise<void> {
    return this.#options.maker.teardown();
  }

  leaks(): Promise<Leftovers> {
    return this.#options.maker.leaks();
  }

  client(name: string): Host {
    return this.#way('client', name).host;
  }

  javaCommand(mainClass: string, heapBytes: number): ReturnType<Lab['javaCommand']> {
    return clientJava(KAFKA_HOME, mainClass, heapBytes);
  }

  samplerHosts(): readonly LabHost[] {
    return this.#ways.map(({ role, name, host }) => ({ who: `${role} ${name}`, host }));
  }

  /** One for each pod, always in the same order: of a pod that cannot be asked only its host is known. */
  async samplerTargets(): Promise<readonly SamplerTarget[]> {
    const pods = await this.#pods();
    return Promise.all(this.#ways.map((way) => this.#memory.samplerTarget(way, pods.get(way.pod))));
  }

  async logFiles(topic: string): Promise<readonly LogFiles[]> {
    const partitions = await this.admin.describeTopic(topic);
    return Promise.all(
      this.#places.map(async ({ name, nodeId }) => {
        const way = this.#way('broker', name);
        const { segments } = await lookAtKafka(way, `${topic}-`);
        const led = new Set(
          partitions.filter((p) => p.leader === nodeId).map((p) => `${topic}-${p.partition}`),
        );
        const own = [...segments].filter(([folder]) => topicOfFolder(folder) === topic);
        const paths = (of: typeof own) =>
          of.flatMap(([folder, files]) => files.map((file) => `${LOG_DIR}/${folder}/${file}`));
        const ledFiles = paths(own.filter(([folder]) => led.has(folder)));
        return { broker: name, host: way.host, files: paths(own), ledFiles };
      }),
    );
  }

  /** All pods ready, clients with what loads need, brokers whole. */
  async #bringUp(design: LabDesign, watch: Watch): Promise<void> {
    await awaitPods({ cluster: this.#cluster, design, ...watch });
    const clients = this.#ways.filter(({ role }) => role === 'client');
    const [first] = await Promise.all(clients.map(bringToolFiles));
    if (first === undefined) throw new Error('a lab needs a client');
    watch.say('preparing the tools');
    const args = ['--bootstrap-server', this.#bootstrapServers(), ...listing.args];
    await archiveClasses(first, { ...listing, args });
    await awaitWhole(this.admin, watch);
  }

  async #facts(design: LabDesign, { say }: Watch): Promise<LabFacts> {
    say('looking at nodes and volumes');
    const pods = await this.#pods();
    const brokers = this.#places.flatMap((place) => {
      const pod = pods.get(place.pod);
      return pod === undefined ? [] : [{ place, pod, way: this.#way('broker', place.name) }];
    });
    const volumes = await mapVolumes(this.#cluster, this.#names, brokers);
    refuseMismatch(volumes);
    const looks = await Promise.all(
      this.#ways.map(async (way) => {
        const pod = pods.get(way.pod);
        if (pod === undefined) throw new Error(`the pod ${way.pod} is not there any more`);
        return { way, pod, look: await this.#memory.look(way, pod) };
      }),
    );
    return {
      ...(await kubernetesFacts(this.#cluster, design, this.admin, looks)),
      bootstrapServers: this.#bootstrapServers(),
      volumes,
    };
  }

  #bootstrapServers(): string {
    return this.#places.map(({ nodeId }) => `${this.#names.brokerAddress(nodeId)}:${BROKER_PORT}`).join(',');
  }

  #pods(): ReturnType<typeof readLabPods> {
    return readLabPods(this.#cluster, this.#names.namespace, this.#options.key);
  }

  #way(role: PodWay['role'], name: string): PodWay {
    const way = this.#ways.find((one) => one.role === role && one.name === name);
    if (way !== undefined) return way;
    const known = this.#ways.filter((one) => one.role === role).map((one) => one.name);
    throw new Error(`the lab has no ${role} ${name}; it has ${known.join(', ')}`);
  }

  async #design(): Promise<LabDesign> {
    const ids = await this.#options.maker.ids();
    if (ids === null)
      throw new InfrastructureError(
        'no-lab',
        `There is no lab of ${this.#options.key} in the namespace ${this.#names.namespace}.`,
        'It was torn down or never provisioned; start the experiment again.',
      );
    return labDesign(this.#options.plan, ids);
  }

  /** A broker that is gone has no log any more: that it is gone is what its identity says. */
  async #log(name: string, sinceMs: number): Promise<string> {
    const { pod } = this.#way('broker', name);
    try {
      return await this.#cluster.readLog({
        namespace: this.#names.namespace,
        pod,
        container: BROKER_CONTAINER,
        timestamps: true,
        sinceS: Math.max(1, Math.ceil((Date.now() - sinceMs) / 1000)),
        limitBytes: LOG_LIMIT_BYTES,
      });
    } catch (error) {
      if (isClusterError(error, 'not-found') || isClusterError(error, 'invalid')) return '';
      throw error;
    }
  }
}
