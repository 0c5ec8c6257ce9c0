import { InfrastructureError } from '../errors.ts';
import { describe, listing } from '../tools/calls.ts';
import { NotYet, outputOf } from '../tools/ask-tools.ts';
import { parseNames, plainCreation } from './cluster-calls.ts';
import type { ClusterTools } from './cluster-tools.ts';
import { namePattern, ownName } from './own-names.ts';

/*
 * The right to measure somebody's cluster lives in that cluster: a topic of the experiment, without records, whose name
 * says until when it counts. Whoever sees its own among all topics sees every one that was made before it, since KRaft
 * puts all creations into one order: of two that come at once at least one steps back, from whichever machines they come
 * (docs/decisions/0015).
 */

/** An experiment that measures this cluster, or did. */
export interface ClusterLease {
  readonly topic: string;
  readonly key: string;
  readonly untilMs: number;
}

const LIMIT_MS = 60_000;

/** `assay.<key>.lease.20261130T2345Z`: counts until the end of that minute. */
export function leaseTopic(key: string, untilMs: number): string {
  const until = new Date(Math.ceil(untilMs / 60_000) * 60_000).toISOString();
  return ownName(key, `assay.${key}.lease.${until.slice(0, 16).replace(/[-:]/g, '')}Z`);
}

/** Leases among the names of topics. */
export function leasesIn(topics: readonly string[]): readonly ClusterLease[] {
  return topics.flatMap((topic) => {
    const match = /^assay\.([a-z0-9-]+)\.lease\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z$/.exec(topic);
    if (match === null) return [];
    const [, key = '', year, month, day, hour, minute] = match;
    return [{ topic, key, untilMs: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) }];
  });
}

/** The first of others that still counts; null = the cluster is free for this experiment. */
export function holderBeside(topics: readonly string[], key: string, nowMs: number): ClusterLease | null {
  return leasesIn(topics).find((lease) => lease.key !== key && lease.untilMs > nowMs) ?? null;
}

/**
 * Takes the cluster for this experiment; taking it again is nothing.
 *
 * @param topic name of its lease.
 * @returns topics of other experiments, which measure no more.
 * @throws InfrastructureError while another experiment has the cluster.
 */
export async function takeCluster(
  tools: ClusterTools,
  key: string,
  topic: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const look = async (): Promise<readonly string[]> => {
    const [run] = await tools.run([listing]);
    return parseNames(outputOf('listing topics', run), 'assay.');
  };
  const before = await tools.until('looking who measures this cluster', LIMIT_MS, look, signal);
  refuseBeside(before, key);
  if (!before.includes(topic)) {
    const what = 'taking the lease of the cluster';
    const after = await tools.until(
      what,
      LIMIT_MS,
      async () => {
        const [made, seen, described] = await tools.run([
          plainCreation(topic),
          { ...listing, after: true },
          describe(namePattern(key, topic)),
        ]);
        outputOf(what, made);
        const names = parseNames(outputOf(what, seen), 'assay.');
        if (!names.includes(topic)) throw new NotYet('not every broker knows its topic yet');
        // Whoever may not describe a topic of its own would void every trial.
        outputOf('describing a topic of its own', described);
        return names;
      },
      signal,
    );
    refuseBeside(after, key);
  }
  return before.filter((name) => !name.startsWith(`assay.${key}.`));
}

function refuseBeside(topics: readonly string[], key: string): void {
  const holder = holderBeside(topics, key, Date.now());
  if (holder === null) return;
  throw new InfrastructureError(
    'cluster-leased',
    `Another experiment (${holder.key}) measures this Kafka cluster, until ${new Date(holder.untilMs).toISOString()} at most: its topic ${holder.topic} is there.`,
    'Start again when it has ended. If it is known to be dead, delete that topic first.',
  );
}
