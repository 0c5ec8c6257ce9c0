import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { SAMPLER_SCRIPT } from '../sampler/sampler.ts';
import type { Transport } from '../transport.ts';
import type { Cluster } from './api/cluster.ts';
import { createPodTransport } from './api/pod-transport.ts';
import { type DeviceReading, parseDeviceReading } from './devices.ts';
import { type KafkaLook, parseKafkaLook } from './kafka-look.ts';
import { look, scriptText } from '../look.ts';
import { type NodeLook, parseNodeLook } from './node-facts.ts';
import { BROKER_CONTAINER, CLIENT_CONTAINER, DATA_PATH, SCRATCH_PATH } from './objects/names.ts';
import { createPodHost, type PodHost } from './pod-host.ts';
import { TOOL_FILES, type ToolPlace } from '../tools/run-tools.ts';

const LOOK_MS = 20_000;
/** A disk that has much to write takes its time to sync a little more. */
const DEVICE_LOOK_MS = 120_000;
const KAFKA_LOOK = scriptText('kafka-look.sh', import.meta.url);
const NODE_LOOK = scriptText('node-look.sh', import.meta.url);
const DEVICE_LOOK = scriptText('device-look.sh', import.meta.url);

export const LOG_DIR = `${DATA_PATH}/kafka`;
/** The official image's. */
export const KAFKA_HOME = '/opt/kafka';
/** Where a host puts files; see `putFile`. */
const FILES = `${SCRATCH_PATH}/.files`;
export const TOOL_FOLDER = `${FILES}/tools`;

/** All ways into one pod of a lab: its capsules, and short looks. The pod may come and go; its name stays. */
export interface PodWay {
  readonly role: 'broker' | 'client';
  /** `b1`, `c1`. */
  readonly name: string;
  readonly pod: string;
  readonly host: PodHost;
  readonly transport: Transport;
}

export function openPod(
  cluster: Cluster,
  namespace: string,
  who: { readonly role: PodWay['role']; readonly name: string; readonly pod: string },
): PodWay {
  const container = who.role === 'broker' ? BROKER_CONTAINER : CLIENT_CONTAINER;
  const target = { namespace, pod: who.pod, container };
  const host = createPodHost({ name: who.name, cluster, root: SCRATCH_PATH, ...target });
  return { ...who, host, transport: createPodTransport(cluster, target) };
}

export async function lookAtNode({ transport }: PodWay): Promise<NodeLook> {
  return parseNodeLook(
    await look(transport, { name: 'node-look', script: NODE_LOOK, args: [], deadlineMs: LOOK_MS }),
  );
}

export async function lookAtKafka({ transport }: PodWay, prefix: string): Promise<KafkaLook> {
  const args = [LOG_DIR, prefix];
  return parseKafkaLook(
    await look(transport, { name: 'kafka-look', script: KAFKA_LOOK, args, deadlineMs: LOOK_MS }),
  );
}

/** @param writeBytes written beside the data and synced, to see whose counter moves; 0 disturbs nothing. */
export async function lookAtDevice({ transport }: PodWay, writeBytes: number): Promise<DeviceReading> {
  const args = [DATA_PATH, String(writeBytes)];
  return parseDeviceReading(
    await look(transport, { name: 'device-look', script: DEVICE_LOOK, args, deadlineMs: DEVICE_LOOK_MS }),
  );
}

/** Puts what loads and tools need on a client; what is there already is left. */
export async function bringToolFiles({ host, transport }: PodWay): Promise<ToolPlace> {
  for (const [name, content] of Object.entries(TOOL_FILES)) await put(host, `tools/${name}`, content);
  return { transport, bin: `${KAFKA_HOME}/bin`, folder: TOOL_FOLDER };
}

/** Puts the sampler's script on a host and returns where it lies. */
export function bringSampler({ host }: PodWay): Promise<string> {
  return put(host, posix.basename(SAMPLER_SCRIPT), readFileSync(SAMPLER_SCRIPT, 'utf8'));
}

function put(host: PodHost, path: string, text: string): Promise<string> {
  const content = Buffer.from(text);
  return host.putFile(path, content, createHash('sha256').update(content).digest('hex'));
}
