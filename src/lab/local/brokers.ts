import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokerCapsule } from '../../design/names.ts';
import { InfrastructureError } from '../errors.ts';
import type { CapsulePoll } from '../host.ts';
import type { LabState } from '../lab.ts';
import { until } from '../wait.ts';
import { renderBrokerConfig, renderBrokerLogging } from './broker-config.ts';
import { brokerCommand, brokerLog } from './java-command.ts';
import type { KafkaAdmin } from './kafka-admin.ts';
import { type LabRecord, type NodeRecord, writeLabRecord } from './lab-record.ts';
import { isAlive, type ProcessId } from './processes.ts';
import { brokerHost, type LabSite } from './site.ts';

const START_LIMIT_MS = 180_000;
const STREAM_CAP_BYTES = 1 << 20;

/** Which brokers live, by their capsules. */
export async function inspectBrokers(site: LabSite, record: LabRecord): Promise<LabState> {
  const brokers = await Promise.all(
    record.nodes.map(async (node) => {
      const { state, child } = await pollBroker(site, node);
      const alive = state === 'running' && child !== null && isAlive(child);
      const { name, nodeId, incarnation } = node;
      return {
        name,
        nodeId,
        incarnation,
        alive,
        pid: child?.pid ?? null,
        startTicks: child?.startTicks ?? null,
      };
    }),
  );
  const identity = brokers
    .map((b) => (b.alive ? `${b.name}/${b.incarnation}:${b.pid}:${b.startTicks}` : `${b.name}/dead`))
    .join(' ');
  return { brokers, identity };
}

function pollBroker(site: LabSite, node: NodeRecord): Promise<CapsulePoll> {
  return brokerHost(site).poll(brokerCapsule(site.key, node.name, node.incarnation));
}

/**
 * Launches every broker that does not run: a recorded but unclaimed one under its name, a dead one as its next
 * incarnation, written into the record first. All start side by side. Returns the record as it is now.
 */
export async function launchBrokers(site: LabSite, record: LabRecord): Promise<LabRecord> {
  const polls = await Promise.all(record.nodes.map((node) => pollBroker(site, node)));
  const nodes = record.nodes.map((node, i) => {
    const state = polls[i]?.state;
    return state === 'exited' || state === 'lost' ? { ...node, incarnation: node.incarnation + 1 } : node;
  });
  const current: LabRecord = { ...record, nodes };
  writeLabRecord(site.folder, current);
  const missing = nodes.filter((_, i) => polls[i]?.state !== 'running');
  await Promise.all(missing.map((node) => launch(site, current, node)));
  return current;
}

async function launch(site: LabSite, record: LabRecord, node: NodeRecord): Promise<void> {
  mkdirSync(node.folder, { recursive: true });
  writeFileSync(
    join(node.folder, 'server.properties'),
    renderBrokerConfig(node, record.nodes, record.plan.brokers.config),
  );
  writeFileSync(join(node.folder, 'log4j2.properties'), renderBrokerLogging(brokerLog(node)));
  const host = brokerHost(site);
  await host.launch({
    name: brokerCapsule(site.key, node.name, node.incarnation),
    ...brokerCommand(record, node, site.folder),
    cwd: node.folder,
    deadlineMs: Math.max(1000, record.expiresAtMs - Date.now()),
    stdoutCapBytes: STREAM_CAP_BYTES,
    stderrCapBytes: STREAM_CAP_BYTES,
    stamp: false,
    identity: await host.identity(),
  });
}

/** Waits until all brokers serve and every partition, internal ones too, has its full ISR. Fails at once when one dies. */
export async function awaitBrokers(
  site: LabSite,
  record: LabRecord,
  admin: KafkaAdmin,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const count = record.nodes.length;
  let said = '';
  const progress = (text: string): undefined => {
    if (text !== said) say(text);
    said = text;
  };
  const failIfDead = deathWatch(site, record);
  const ready = await until(
    async () => {
      await failIfDead();
      const up = await admin.registeredBrokers().catch(() => []);
      if (up.length < count) return progress(`starting brokers: ${up.length} of ${count} up`);
      const short = await admin.underReplicated().catch(() => ['?']);
      return short.length > 0
        ? progress(`waiting for replicas to catch up: ${short.length} partitions`)
        : true;
    },
    { everyMs: 400, limitMs: START_LIMIT_MS, signal },
  );
  if (ready === true) return;
  throw new InfrastructureError(
    'brokers-slow',
    `The brokers are not ready after ${START_LIMIT_MS / 1000} s (${said}).`,
    `Look at ${record.nodes[0]?.folder ?? site.folder}/broker.log; a machine that is very busy may only need another try.`,
  );
}

/**
 * Throws when a broker has ended. Asks the capsule only until the broker's pid is known, and again once that process
 * is gone: a poll forks, and the brokers need the cores to start.
 */
function deathWatch(site: LabSite, record: LabRecord): () => Promise<void> {
  const known = new Map<string, ProcessId>();
  return async () => {
    for (const node of record.nodes) {
      const process = known.get(node.name);
      if (process !== undefined && isAlive(process)) continue;
      const poll = await pollBroker(site, node);
      if (poll.state !== 'running') throw brokerDeath(node, poll);
      if (poll.child !== null) known.set(node.name, poll.child);
    }
  };
}

function brokerDeath(node: NodeRecord, poll: CapsulePoll): InfrastructureError {
  const why = lastWords(poll.stderr.toString() || poll.stdout.toString());
  if (why.includes('Address already in use')) {
    return new InfrastructureError(
      'port-taken',
      `Broker ${node.name} could not listen: somebody took port ${node.brokerPort} or ${node.controllerPort} in the meantime.`,
      'Run the experiment again: it takes other ports.',
    );
  }
  return new InfrastructureError(
    'broker-died',
    `Broker ${node.name} ended while it started (exit code ${poll.exit?.code ?? 'unknown'}): ${why}`,
    'Check lab.brokers.config and lab.brokers.heap; the line above is the broker’s own.',
  );
}

/** The line that names the cause: the last error or exception, else the last line. */
function lastWords(text: string): string {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => !/^\s+at /.test(line));
  const telling = lines.findLast((line) => /Exception|Error|ERROR|FATAL|invalid/i.test(line)) ?? lines.at(-1);
  return (telling ?? 'it said nothing').trim().slice(0, 400);
}
