import type { Bench } from './bench.ts';
import type { Prepared, TrialInput } from './contract.ts';
import { voids } from './errors.ts';
import { groupName, transactionalId } from '../src/design/names.ts';
import type { ConsumerLoad, LoadPlan, ProducerLoad } from '../src/design/plan.ts';
import { CONSUMER_MAIN, consumerArguments } from '../src/lab/consumer-command.ts';
import { PRODUCER_MAIN, producerArguments } from '../src/lab/producer-command.ts';

export interface LoadCommand {
  readonly argv: string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A consumer from the end of a topic gets so long to start and join before anything is sent. */
export const JOIN_MS = 5_000;

/** What every load is told: brokers, its topic of this attempt, and how many records. */
interface Task {
  readonly bootstrapServers: string;
  readonly topic: string;
  readonly records: number;
  readonly config: Readonly<Record<string, string>>;
  readonly clientProperties: string | null;
}

/** The exact command of a load and its environment. */
export function loadCommand(
  bench: Bench,
  trial: TrialInput,
  prepared: Prepared,
  load: LoadPlan,
  bootstrapServers: string,
): LoadCommand {
  const topic = prepared.topics[load.topic]?.name;
  const records = trial.counts[load.name];
  if (topic === undefined || records === undefined)
    throw voids('bug', `no topic or count for load ${load.name}`);
  const clientProperties = bench.plan.lab.existing?.clientProperties ?? null;
  const task = { bootstrapServers, topic, records, config: load.config, clientProperties };
  return load.kind === 'producer'
    ? producerCommand(bench, trial, prepared, load, task)
    : consumerCommand(bench, trial, load, task);
}

function producerCommand(
  bench: Bench,
  trial: TrialInput,
  prepared: Prepared,
  load: ProducerLoad,
  task: Task,
): LoadCommand {
  const payloadFile = prepared.payloads[load.name];
  if (payloadFile === undefined) throw voids('bug', `no payload for load ${load.name}`);
  const java = bench.lab.javaCommand(PRODUCER_MAIN, load.heapBytes);
  const recordsPerS = trial.rates?.[load.name] ?? load.recordsPerS;
  const transaction =
    load.transactionMs === null
      ? null
      : { id: transactionalId(trial.ref.key, trial, load.name), durationMs: load.transactionMs };
  const given = producerArguments({ ...task, recordsPerS, payloadFile, transaction });
  return { argv: [...java.argv, ...given], env: java.env };
}

function consumerCommand(bench: Bench, trial: TrialInput, load: ConsumerLoad, task: Task): LoadCommand {
  const java = bench.lab.javaCommand(CONSUMER_MAIN, load.heapBytes);
  const group = groupName(trial.ref.key, trial, load.group);
  const { from } = load;
  // The wait that the barrier makes is no idleness of its own.
  const idleMs = load.idleMs + (from === 'latest' ? JOIN_MS : 0);
  return { argv: [...java.argv, ...consumerArguments({ ...task, group, from, idleMs })], env: java.env };
}
