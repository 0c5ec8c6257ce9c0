import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../kill/support/running.ts';

const run = promisify(execFile);
const LISTENERS = 3;

/** Somebody's Kafka: two brokers in two racks, TLS and SASL for clients, an authorizer, a topic and a group of their own. */
export interface SomebodysKafka {
  /** `host:port`, where clients have to use SASL_SSL. */
  readonly bootstrap: readonly string[];
  /** Client properties of a user with rights on names below `assay.` only. */
  readonly clientProperties: string;
  /** Client properties of a user who may do everything. */
  readonly adminProperties: string;
  /** Whatever must never be found anywhere but in these files. */
  readonly secrets: readonly string[];
  /** Everything in the cluster that an experiment might change: topics, offsets, settings, groups, rights. */
  photo(): Promise<string>;
  /** Runs a tool by its main class, as the administrator. */
  tool(main: string, ...args: string[]): Promise<string>;
  close(): Promise<void>;
}

export const SOMEBODYS_TOPIC = 'orders';

/**
 * @param folder absolute, made and removed.
 * @param libs Kafka's jars.
 */
export async function somebodysKafka(folder: string, libs: string): Promise<SomebodysKafka> {
  mkdirSync(folder, { recursive: true });
  const cluster = new Cluster(folder, libs, await freePorts(2 * LISTENERS));
  try {
    await cluster.start();
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

class Cluster implements SomebodysKafka {
  readonly #folder: string;
  readonly #libs: string;
  readonly #ports: readonly number[];
  readonly #brokers: ChildProcess[] = [];
  readonly #passwords = { user: 'wren-Harbour-71', admin: 'stoat-Lantern-38', store: 'otter-Meadow-94' };
  readonly clientProperties: string;
  readonly adminProperties: string;

  constructor(folder: string, libs: string, ports: readonly number[]) {
    this.#folder = folder;
    this.#libs = libs;
    this.#ports = ports;
    this.clientProperties = join(folder, 'assay.properties');
    this.adminProperties = join(folder, 'admin.properties');
  }

  get bootstrap(): readonly string[] {
    return [this.#address(0), this.#address(LISTENERS)];
  }

  get secrets(): readonly string[] {
    return Object.values(this.#passwords);
  }

  async start(): Promise<void> {
    const certificates = this.#makeCertificates();
    writeFileSync(this.clientProperties, this.#properties('assay', this.#passwords.user), { mode: 0o600 });
    writeFileSync(this.adminProperties, this.#properties('admin', this.#passwords.admin), { mode: 0o600 });
    writeFileSync(join(this.#folder, 'log4j2.properties'), LOGGING);
    const nodes = [1, 2];
    for (const node of nodes) writeFileSync(this.#config(node), this.#server(node));
    await Promise.all([certificates, ...nodes.map((node) => this.#format(node))]);
    for (const node of nodes) this.#launch(node);
    // Two copies need both brokers.
    await eventually('both brokers of somebody', async () => {
      const dead = this.#brokers.findIndex(({ exitCode }) => exitCode !== null);
      if (dead >= 0) throw new Error(this.#log(dead + 1));
      return this.#createTopic().catch(() => false);
    });
    await this.#moveIn();
  }

  async tool(main: string, ...args: string[]): Promise<string> {
    const sub = main.endsWith('ClusterTool') ? args.slice(0, 1) : [];
    const common = ['--bootstrap-server', this.bootstrap.join(','), '--command-config', this.adminProperties];
    const { stdout } = await run(
      'java',
      [...this.#java(), main, ...sub, ...common, ...args.slice(sub.length)],
      { timeout: 60_000 },
    );
    return stdout;
  }

  async photo(): Promise<string> {
    const seen = await Promise.all([
      this.tool('org.apache.kafka.tools.TopicCommand', '--describe', '--exclude-internal'),
      this.tool('org.apache.kafka.tools.GetOffsetShell', '--exclude-internal-topics'),
      this.tool('kafka.admin.ConfigCommand', '--describe', '--entity-type', 'brokers'),
      this.tool('org.apache.kafka.tools.consumer.group.ConsumerGroupCommand', '--list'),
      this.tool('org.apache.kafka.tools.AclCommand', '--list'),
    ]);
    return seen.map((text) => text.trim().split('\n').toSorted().join('\n')).join('\n---\n');
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#brokers.map(async (broker) => {
        if (broker.exitCode !== null) return;
        const gone = new Promise((resolve) => broker.once('exit', resolve));
        broker.kill('SIGKILL');
        await gone;
      }),
    );
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What somebody has there: a topic with records and a setting of its own, and the rights of the experiment's user. */
  async #moveIn(): Promise<void> {
    const acl = 'org.apache.kafka.tools.AclCommand';
    const prefixed = ['--resource-pattern-type', 'prefixed', '--allow-principal', 'User:assay'];
    const rights = (...operations: string[]) => operations.flatMap((one) => ['--operation', one]);
    await Promise.all([
      this.tool(
        acl,
        '--add',
        ...prefixed,
        '--topic',
        'assay.',
        ...rights('Create', 'Delete', 'Describe', 'DescribeConfigs', 'Read', 'Write'),
      ),
      this.tool(acl, '--add', ...prefixed, '--group', 'assay.', ...rights('Read', 'Describe', 'Delete')),
      this.tool(acl, '--add', '--allow-principal', 'User:assay', '--cluster', ...rights('Describe')),
      this.tool(
        'org.apache.kafka.tools.ProducerPerformance',
        '--topic',
        SOMEBODYS_TOPIC,
        '--num-records',
        '50',
        '--record-size',
        '100',
        '--throughput',
        '-1',
      ),
    ]);
  }

  async #createTopic(): Promise<true> {
    await this.tool(
      'org.apache.kafka.tools.TopicCommand',
      '--create',
      '--if-not-exists',
      '--topic',
      SOMEBODYS_TOPIC,
      '--partitions',
      '2',
      '--replication-factor',
      '2',
      '--config',
      'retention.ms=3600000',
    );
    return true;
  }

  #address(port: number): string {
    return `127.0.0.1:${this.#ports[port]}`;
  }

  #config(node: number): string {
    return join(this.#folder, `server-${node}.properties`);
  }

  #log(node: number): string {
    return readFileSync(join(this.#folder, `broker-${node}.log`), 'utf8');
  }

  #java(...flags: string[]): readonly string[] {
    const logging = `-Dlog4j2.configurationFile=file:${join(this.#folder, 'log4j2.properties')}`;
    const short = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xlog:disable'];
    return [...(flags.length > 0 ? flags : ['-Xmx256m', ...short]), logging, '-cp', `${this.#libs}/*`];
  }

  async #makeCertificates(): Promise<void> {
    const { store } = this.#passwords;
    const common = ['-storetype', 'PKCS12', '-storepass', store, '-alias', 'broker'];
    const key = join(this.#folder, 'key.p12');
    const certificate = join(this.#folder, 'broker.crt');
    await run('keytool', [
      '-genkeypair',
      '-keyalg',
      'EC',
      '-keystore',
      key,
      ...common,
      '-dname',
      'CN=somebody',
      '-ext',
      'SAN=ip:127.0.0.1',
      '-validity',
      '2',
    ]);
    await run('keytool', ['-exportcert', '-keystore', key, ...common, '-file', certificate]);
    const trust = join(this.#folder, 'trust.p12');
    await run('keytool', ['-importcert', '-noprompt', '-keystore', trust, ...common, '-file', certificate]);
  }

  #properties(user: string, password: string): string {
    return `# of ${user}
security.protocol=SASL_SSL
sasl.mechanism=PLAIN
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \\
  username="${user}" \\
  password="${password}";
ssl.truststore.type=PKCS12
ssl.truststore.location=${join(this.#folder, 'trust.p12')}
ssl.truststore.password=${this.#passwords.store}
`;
  }

  #server(node: number): string {
    const at = (node - 1) * LISTENERS;
    const { user, admin, store } = this.#passwords;
    const plain = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
    return `process.roles=broker,controller
node.id=${node}
broker.rack=r${node}
controller.quorum.voters=1@${this.#address(2)},2@${this.#address(LISTENERS + 2)}
listeners=CLIENTS://${this.#address(at)},INSIDE://${this.#address(at + 1)},CONTROLLER://${this.#address(at + 2)}
advertised.listeners=CLIENTS://${this.#address(at)},INSIDE://${this.#address(at + 1)}
listener.security.protocol.map=CLIENTS:SASL_SSL,INSIDE:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=INSIDE
sasl.enabled.mechanisms=PLAIN
sasl.mechanism.inter.broker.protocol=PLAIN
listener.name.clients.plain.sasl.jaas.config=${plain} user_assay="${user}" user_admin="${admin}";
listener.name.inside.plain.sasl.jaas.config=${plain} username="admin" password="${admin}" user_admin="${admin}";
listener.name.clients.ssl.keystore.type=PKCS12
listener.name.clients.ssl.keystore.location=${join(this.#folder, 'key.p12')}
listener.name.clients.ssl.keystore.password=${store}
listener.name.clients.ssl.key.password=${store}
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:admin;User:ANONYMOUS
log.dirs=${join(this.#folder, `data-${node}`)}
auto.create.topics.enable=true
default.replication.factor=2
offsets.topic.num.partitions=2
offsets.topic.replication.factor=2
group.initial.rebalance.delay.ms=0
`;
  }

  async #format(node: number): Promise<void> {
    const args = ['format', '--cluster-id', 'U29tZWJvZHlzS2Fma2EwMA', '--config', this.#config(node)];
    await run('java', [...this.#java(), 'kafka.tools.StorageTool', ...args], { timeout: 60_000 });
  }

  #launch(node: number): void {
    const log = openSync(join(this.#folder, `broker-${node}.log`), 'w');
    const flags = ['-Xms256m', '-Xmx256m', '-XX:TieredStopAtLevel=1'];
    const args = [...this.#java(...flags), 'kafka.Kafka', this.#config(node)];
    this.#brokers.push(spawn('java', args, { stdio: ['ignore', log, log] }));
    closeSync(log);
  }
}

const LOGGING = `rootLogger.level = WARN
rootLogger.appenderRef.err.ref = ERR
appender.err.type = Console
appender.err.name = ERR
appender.err.target = SYSTEM_ERR
appender.err.layout.type = PatternLayout
appender.err.layout.pattern = %p %m (%c)%n
`;

/** Ports that are free now, all at once. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer();
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
