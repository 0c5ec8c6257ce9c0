import { CapsuleError } from '../capsule/capsule-error.ts';
import { InfrastructureError } from '../errors.ts';
import type { ExistingFacts } from '../lab.ts';
import { settingsOf } from '../tools/calls.ts';
import { outputOf } from '../tools/ask-tools.ts';
import { parseConfigs } from '../tools/configs-output.ts';
import type { ToolRun } from '../tools/tool-error.ts';
import { NOTABLE_SETTINGS } from '../shown-config.ts';
import {
  type ClusterBroker,
  clusterIdCall,
  endpointsCall,
  featuresCall,
  parseClusterId,
  parseEndpoints,
  parseKafkaVersion,
} from './cluster-calls.ts';
import type { ClusterTools } from './cluster-tools.ts';

const LIMIT_MS = 60_000;

/** Who a cluster is. */
export interface ClusterLook {
  readonly clusterId: string;
  readonly brokers: readonly ClusterBroker[];
}

/**
 * @param limitMs how long it may be silent.
 * @throws InfrastructureError when it does not answer or does not let us in: a wrong address does not get right by waiting.
 */
export async function lookAtCluster(
  tools: ClusterTools,
  signal: AbortSignal,
  limitMs = LIMIT_MS,
): Promise<ClusterLook> {
  const what = 'asking who the cluster is';
  const ask = async (): Promise<ClusterLook> => {
    const [id, endpoints] = await tools.run([clusterIdCall, endpointsCall]);
    return {
      clusterId: parseClusterId(outputOf(what, id)),
      brokers: parseEndpoints(outputOf(what, endpoints)),
    };
  };
  try {
    return await tools.until(what, limitMs, ask, signal);
  } catch (error) {
    if (!(error instanceof CapsuleError) || error.code !== 'transport') throw error;
    throw new InfrastructureError(
      'kafka-silent',
      error.message,
      'Look whether the brokers of lab.bootstrap can be reached from the machine of the worker, and whether that port speaks the protocol of lab.clientProperties (a client in PLAINTEXT hears nothing from a port with TLS).',
      { cause: error },
    );
  }
}

/** What a user may be forbidden to ask: then it is not known, and that is said. */
export interface AskedOnce {
  /** null = the cluster does not say. */
  readonly kafkaVersion: string | null;
  /** Of one broker; null = it does not say. */
  readonly brokerConfig: Readonly<Record<string, string>> | null;
}

export async function askOnce(tools: ClusterTools, firstBroker: number): Promise<AskedOnce> {
  const [features, configs] = await tools.run([featuresCall, settingsOf(firstBroker)]);
  const version = wellEnded(features) ? parseKafkaVersion(features.stdout) : null;
  if (!wellEnded(configs)) return { kafkaVersion: version, brokerConfig: null };
  const settings = parseConfigs(configs.stdout);
  const shown = NOTABLE_SETTINGS.flatMap((name) => {
    const value = settings.get(name)?.value;
    return value == null ? [] : [[name, value] as const];
  });
  return { kafkaVersion: version, brokerConfig: shown.length === 0 ? null : Object.fromEntries(shown) };
}

function wellEnded(run: ToolRun | undefined): run is ToolRun {
  return run?.code === 0;
}

/** What the environment of an experiment says of the cluster. */
export function existingFacts(
  { brokers }: ClusterLook,
  tools: ClusterTools,
  asked: AskedOnce,
  { toolsVersion, othersTopics }: Pick<ExistingFacts, 'toolsVersion' | 'othersTopics'>,
): ExistingFacts {
  const properties = tools.clientProperties();
  return {
    brokers,
    connection: properties?.open ?? { 'security.protocol': 'PLAINTEXT' },
    clientProperties:
      properties === null ? null : { path: properties.path, openKeysSha256: properties.openKeysSha256 },
    toolsVersion,
    othersTopics,
    notSeen: [
      'CPU, memory, disks, page cache and dirty memory of the brokers: nothing of ours runs on their machines, so no sampler does; the samples are those of the clients’ machine',
      'processes of the brokers: a restart is seen only by the leaders and in-sync replicas that it leaves behind',
      'logs of the brokers and leader epochs: no tool of a client tells them',
      'folders of deleted topics: a topic counts as gone when no broker names it',
      ...(asked.kafkaVersion === null
        ? ['the brokers’ version: the cluster did not say it to this user']
        : []),
      ...(asked.brokerConfig === null
        ? ['settings of the brokers: the cluster did not show them to this user']
        : []),
    ],
  };
}
