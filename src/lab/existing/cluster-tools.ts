import { CapsuleError } from '../capsule/capsule-error.ts';
import { InfrastructureError } from '../errors.ts';
import { KafkaRefusal } from '../kafka-refusal.ts';
import { askTools, NotDone } from '../tools/ask-tools.ts';
import { runTools, type ToolCall, type ToolPlace } from '../tools/run-tools.ts';
import type { ToolRun } from '../tools/tool-error.ts';
import { type ClientProperties, readClientProperties } from './client-properties.ts';
import { told } from './cluster-calls.ts';

const TOOL_LIMIT_MS = 30_000;

export interface ClusterToolsOptions {
  readonly bootstrapServers: string;
  /** Absolute path; null = PLAINTEXT. */
  readonly clientProperties: string | null;
  /** Where Kafka's tools can be run on this machine. */
  place(): Promise<ToolPlace>;
}

/**
 * Asks somebody's cluster with Kafka's own tools: what the client properties file means for them it means for the loads.
 * No secret of that file is in any error.
 */
export class ClusterTools {
  readonly #options: ClusterToolsOptions;

  constructor(options: ClusterToolsOptions) {
    this.#options = options;
  }

  /** The client properties file as it is now; null = there is none. */
  clientProperties(): ClientProperties | null {
    const { clientProperties } = this.#options;
    return clientProperties === null ? null : readClientProperties(clientProperties);
  }

  /** Runs the tools side by side, those with `after` later. How each ended is for the caller to judge. */
  async run(calls: readonly ToolCall[]): Promise<readonly ToolRun[]> {
    const properties = this.clientProperties();
    const { bootstrapServers, clientProperties } = this.#options;
    const place = await this.#options.place();
    const all = calls.map((call) => told(call, bootstrapServers, clientProperties));
    const runs = await runTools(place, all, TOOL_LIMIT_MS);
    if (properties === null) return runs;
    return runs.map((run) => ({
      ...run,
      // What a tool prints when it ends well is parsed, and holds no settings of the connection.
      ...(run.code === 0 ? {} : { stdout: properties.hide(run.stdout) }),
      stderr: properties.hide(run.stderr),
    }));
  }

  /**
   * Asks until it is so; see `askTools`.
   *
   * @throws InfrastructureError when the cluster refuses; CapsuleError `transport` when it does not answer or does not get
   * ready in time, which may pass.
   */
  async until<T>(what: string, limitMs: number, ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await askTools(what, limitMs, ask, signal);
    } catch (error) {
      throw this.#meaningOf(error);
    }
  }

  /** A cluster is never our bug, but a line that cannot be read is. */
  #meaningOf(error: unknown): unknown {
    const { bootstrapServers } = this.#options;
    if (error instanceof KafkaRefusal && error.code === 'UNKNOWN_TOPIC_OR_PARTITION') return error;
    if (error instanceof KafkaRefusal)
      return new InfrastructureError(
        'kafka-refused',
        `The Kafka cluster at ${bootstrapServers} refused: ${error.message.replace(/\.$/, '')} (${error.code}).`,
        FIXES.find(([pattern]) => pattern.test(`${error.code} ${error.message}`))?.[1] ?? ANY_FIX,
        { cause: error },
      );
    if (!(error instanceof NotDone)) return error;
    return new CapsuleError(
      'transport',
      `The Kafka cluster at ${bootstrapServers}: ${error.message.replace(/\.$/, '')}.`,
      { cause: error },
    );
  }
}

const ANY_FIX = 'Look at the log of the brokers for why, and at lab.clientProperties and topics.….config.';
const FIXES: readonly (readonly [RegExp, string])[] = [
  [
    /Authentication|SslHandshake|JAAS|LoginException/i,
    'Look at security.protocol, sasl.* and ssl.* in the file that lab.clientProperties names; Kafka’s own tools must work with it (--command-config).',
  ],
  [
    /Authorization/i,
    'Give its user the rights of docs/existing-cluster.md on names that begin with "assay." (ACLs with a prefixed pattern).',
  ],
  [
    /ConfigException|KafkaException|bootstrap/i,
    'Look at lab.bootstrap (a name that this machine can resolve) and at the file that lab.clientProperties names.',
  ],
];
