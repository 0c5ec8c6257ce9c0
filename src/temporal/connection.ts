import type { Client, Connection } from '@temporalio/client';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { InfrastructureError } from '../lab/errors.ts';
import type { Env } from './home.ts';

/** Where the embedded server listens: a plain `temporal` finds it there. */
const DEFAULT_PORT = 7233;

/** The Temporal that this environment means. CLI, supervisor and worker ask alike and get the same answer. */
export type TemporalChoice = EmbeddedTemporal | ConfiguredTemporal;

interface CommonChoice {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
  /** For `Connection.connect` and `NativeConnection.connect`. */
  readonly connectionOptions: ClientConnectConfig['connectionOptions'];
  /** Names the server and namespace, to compare two choices. */
  readonly target: string;
}

/** A development server of this home, kept by the supervisor. */
export interface EmbeddedTemporal extends CommonChoice {
  readonly kind: 'embedded';
  readonly host: string;
  readonly port: number;
  readonly uiPort: number;
}

/** Somebody's server, named by the environment or a temporal.toml. */
export interface ConfiguredTemporal extends CommonChoice {
  readonly kind: 'configured';
}

/**
 * Reads TEMPORAL_* and temporal.toml as the Temporal CLI does. Embedded only when neither names an address.
 *
 * @throws InfrastructureError for a profile or a port that makes no sense.
 */
export function chooseTemporal(env: Env): TemporalChoice {
  const config = loadConfig(env);
  const address = config.connectionOptions.address;
  if (!address) return embedded(env);
  requireAddress(address);
  const namespace = config.namespace ?? 'default';
  return {
    kind: 'configured',
    address,
    namespace,
    connectionOptions: config.connectionOptions,
    target: targetOf(address, namespace),
  };
}

function loadConfig(env: Env): ClientConnectConfig {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  try {
    return loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(given) });
  } catch (error) {
    throw new InfrastructureError(
      'temporal-config',
      `The Temporal configuration cannot be used: ${(error as Error).message.split('\n')[0]}`,
      'Correct TEMPORAL_* in the environment or the profile in temporal.toml (TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE).',
      { cause: error },
    );
  }
}

/** What the SDK takes: `host` or `host:port`; it says so late, or waits ten seconds for a host that cannot be. */
function requireAddress(address: string): void {
  const match = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(address);
  const port = Number(match?.[1] ?? 7233);
  if (match !== null && port >= 1 && port <= 65_535) return;
  const plain = /^\w+:\/\/([^/]+)/.exec(address)?.[1];
  const meant = plain === undefined ? '' : ` (${plain}?)`;
  throw new InfrastructureError(
    'temporal-address',
    `The Temporal address is ${JSON.stringify(address)}, which is no host:port${meant}.`,
    'Correct TEMPORAL_ADDRESS or the address in temporal.toml, e.g. temporal.example.com:7233; without one Assay runs an embedded Temporal.',
  );
}

function embedded(env: Env): EmbeddedTemporal {
  const port = env.ASSAY_TEMPORAL_PORT ? Number(env.ASSAY_TEMPORAL_PORT) : DEFAULT_PORT;
  if (!Number.isInteger(port) || port < 1 || port > 64_535) {
    throw new InfrastructureError(
      'temporal-port',
      `ASSAY_TEMPORAL_PORT is "${env.ASSAY_TEMPORAL_PORT}", which is no port between 1 and 64535.`,
      'Set it to a free port; the web UI gets that port + 1000.',
    );
  }
  const host = '127.0.0.1';
  const address = `${host}:${port}`;
  return {
    kind: 'embedded',
    host,
    port,
    uiPort: port + 1000,
    address,
    namespace: 'default',
    connectionOptions: { address },
    target: targetOf(address, 'default'),
  };
}

function targetOf(address: string, namespace: string): string {
  return `${address.replace(/^localhost:/, '127.0.0.1:')} namespace ${namespace}`;
}

/** Link to a workflow in the Temporal UI; null when nobody knows where the UI of a configured server is. */
export function uiLink(choice: TemporalChoice, workflowId: string, env: Env): string | null {
  const base =
    env.TEMPORAL_UI_URL?.replace(/\/+$/, '') ??
    (choice.kind === 'embedded' ? `http://${choice.host}:${choice.uiPort}` : cloudUi(choice.address));
  if (base === null) return null;
  return `${base}/namespaces/${choice.namespace}/workflows/${encodeURIComponent(workflowId)}`;
}

function cloudUi(address: string): string | null {
  return /\.tmprl\.cloud(:\d+)?$|\.api\.temporal\.io(:\d+)?$/.test(address)
    ? 'https://cloud.temporal.io'
    : null;
}

export interface OpenClient {
  readonly client: Client;
  readonly connection: Connection;
  close(): Promise<void>;
}

/**
 * A connected client.
 *
 * @throws InfrastructureError when nothing answers.
 */
export async function openClient(choice: TemporalChoice, timeoutMs = 10_000): Promise<OpenClient> {
  const temporal = await import('@temporalio/client');
  try {
    // The two connections of the SDK share these options, but their types name them apart.
    const options = choice.connectionOptions as Parameters<typeof temporal.Connection.connect>[0];
    const connection = await temporal.Connection.connect({ connectTimeout: timeoutMs, ...options });
    const client = new temporal.Client({ connection, namespace: choice.namespace });
    return { client, connection, close: () => connection.close() };
  } catch (error) {
    throw new InfrastructureError(
      'temporal-unreachable',
      `No Temporal answers at ${choice.address}: ${(error as Error).message.split('\n')[0]}`,
      choice.kind === 'embedded'
        ? 'Start it with `assay up`.'
        : 'Start that server or correct TEMPORAL_ADDRESS; without an address Assay runs an embedded one.',
      { cause: error },
    );
  }
}
