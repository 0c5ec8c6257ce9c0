import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities } from '../activities/index.ts';
import { createBenches } from '../activities/bench.ts';
import type { ActivityDeps } from '../activities/deps.ts';
import { hostQueue, resolveHome } from './lab/home.ts';
import { chooseTemporal, type TemporalChoice } from './temporal/connection.ts';
import { ASSAY_SEARCH_ATTRIBUTES, missingSearchAttributes } from './temporal/search-attributes.ts';
import { TASK_QUEUE } from './temporal/status.ts';

const WORKFLOWS = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
const PACKAGE = fileURLToPath(new URL('../package.json', import.meta.url));
/** Heartbeats carry live progress: they must not be throttled to 0.8 × the heartbeat timeout. */
const HEARTBEAT_MS = 1_000;
const SHUTDOWN_MS = 2_000;
const CONNECT_MS = 30_000;
const CONNECT_EVERY_MS = 200;

const log = pino({ name: 'assay-worker' }, pino.destination({ dest: 2, sync: true }));

/** Runs until a signal: workflows and plans on `assay`, everything bound to this machine on its host queue. */
async function main(): Promise<void> {
  Runtime.install({ logger: temporalLogger(), shutdownSignals: ['SIGINT', 'SIGTERM'] });
  const home = resolveHome();
  const choice = chooseTemporal(process.env);
  // Bundling takes as long as a server to start: both go on at once.
  const bundle = bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger: temporalLogger() });
  const [connection, workflowBundle] = await Promise.all([connected(choice), bundle]);
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
  const general = await Worker.create({ ...shared, taskQueue: TASK_QUEUE, workflowBundle });
  const host = await Worker.create({ ...shared, taskQueue: deps.hostQueue });
  log.info({ taskQueue: TASK_QUEUE, hostQueue: deps.hostQueue, address: choice.address }, 'worker is ready');
  await Promise.all([general.run(), host.run()]);
  await connection.close();
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
  log.fatal(
    { error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    'the worker ended',
  );
  process.exitCode = 1;
}
