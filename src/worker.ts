import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities } from '../activities/index.ts';
import { createBenches } from '../activities/bench.ts';
import type { ActivityDeps } from '../activities/deps.ts';
import { InfrastructureError } from './lab/errors.ts';
import { hostQueue, resolveHome } from './lab/home.ts';
import { chooseTemporal, type TemporalChoice } from './temporal/connection.ts';
import { startHealthServer } from './temporal/health-server.ts';
import { type ListenAddress, listenAddress } from './temporal/listen-address.ts';
import { ASSAY_SEARCH_ATTRIBUTES, missingSearchAttributes } from './temporal/search-attributes.ts';
import { TASK_QUEUE } from './temporal/status.ts';
import { workerHealth } from './temporal/worker-health.ts';
import { workflowBundle } from './temporal/workflow-bundle.ts';

const PACKAGE = fileURLToPath(new URL('../package.json', import.meta.url));
/** Heartbeats carry live progress: they must not be throttled to 0.8 × the heartbeat timeout. */
const HEARTBEAT_MS = 1_000;
const SHUTDOWN_MS = 2_000;
const CONNECT_MS = 30_000;
const CONNECT_EVERY_MS = 200;
/** After so long a question whether the server answers is given up, and asked anew. */
const ASK_MS = 5_000;

const log = pino({ name: 'assay-worker' }, pino.destination({ dest: 2, sync: true }));

/** Runs until a signal: workflows and plans on `assay`, everything bound to this machine on its host queue. */
async function main(): Promise<void> {
  const endpoints = {
    health: listenAddress('ASSAY_HEALTH_ADDRESS', process.env),
    metrics: listenAddress('ASSAY_METRICS_ADDRESS', process.env),
  };
  installRuntime(endpoints.metrics);
  const health = workerHealth();
  // First: who asks it wants to know that a start takes its time.
  const healthServer = endpoints.health === null ? null : await startHealthServer(endpoints.health, health);
  const home = resolveHome();
  const choice = chooseTemporal(process.env);
  // Bundling takes as long as a server to start: both go on at once.
  const [connection, bundle] = await Promise.all([connected(choice), workflowBundle(temporalLogger())]);
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  const deps: ActivityDeps = {
    home,
    hostQueue: hostQueue(home),
    benches: createBenches(home),
    assayVersion: version,
    searchAttributes: async () => {
      const missing: readonly string[] = await missingSearchAttributes(connection, choice.namespace);
      return Object.keys(ASSAY_SEARCH_ATTRIBUTES).filter((name) => !missing.includes(name));
    },
  };
  const activities = { ...createActivities(deps) };
  const shared = {
    connection,
    namespace: choice.namespace,
    activities,
    maxHeartbeatThrottleInterval: HEARTBEAT_MS,
    shutdownGraceTime: SHUTDOWN_MS,
    stickyQueueScheduleToStartTimeout: '5s',
  };
  const general = await Worker.create({ ...shared, taskQueue: TASK_QUEUE, workflowBundle: bundle });
  const host = await Worker.create({ ...shared, taskQueue: deps.hostQueue });
  health.watch([general, host], () =>
    connection.withDeadline(Date.now() + ASK_MS, () => connection.workflowService.getSystemInfo({})),
  );
  log.info({ taskQueue: TASK_QUEUE, hostQueue: deps.hostQueue, address: choice.address }, 'worker is ready');
  await Promise.all([general.run(), host.run()]);
  await connection.close();
  await healthServer?.close();
}

/** Signals, logs and, when asked for, the numbers of Temporal's SDK for Prometheus. */
function installRuntime(metrics: ListenAddress | null): void {
  try {
    Runtime.install({
      logger: temporalLogger(),
      shutdownSignals: ['SIGINT', 'SIGTERM'],
      ...(metrics === null
        ? {}
        : { telemetryOptions: { metrics: { prometheus: { bindAddress: metrics.text } } } }),
    });
  } catch (cause) {
    if (metrics === null) throw cause;
    throw new InfrastructureError(
      'metrics-address',
      `Metrics cannot be served on ${metrics.text}: ${(cause as Error).message}`,
      'Set ASSAY_METRICS_ADDRESS to a free port of this machine, or leave it unset.',
      { cause },
    );
  }
}

/** A server that is just being started is waited for. */
async function connected({ address, connectionOptions }: TemporalChoice): Promise<NativeConnection> {
  const untilMs = Date.now() + CONNECT_MS;
  let told = false;
  for (;;) {
    try {
      return await NativeConnection.connect(connectionOptions);
    } catch (error) {
      if (Date.now() > untilMs) throw error;
      if (!told) log.warn({ address, error: (error as Error).message }, 'Temporal does not answer yet');
      told = true;
      await sleep(CONNECT_EVERY_MS);
    }
  }
}

/** The SDK's messages, as our own. */
function temporalLogger(): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta }) => {
    const write = level === 'ERROR' ? log.error : log.warn;
    write.call(log, { ...meta, error: String(meta?.['error'] ?? '') || undefined }, message);
  });
}

try {
  await main();
} catch (error) {
  if (error instanceof InfrastructureError) log.fatal({ fix: error.fix }, error.message);
  else
    log.fatal(
      { error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      'the worker ended',
    );
  // Not only a code: an open health server would keep the process alive.
  process.exit(1);
}
