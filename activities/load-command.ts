import type { Bench } from './bench.ts';
import type { Prepared, TrialInput } from './contract.ts';
import { voids } from './errors.ts';
import type { LoadPlan } from '../src/design/plan.ts';
import { PRODUCER_MAIN, producerArguments } from '../src/lab/producer-command.ts';

/** The exact command of a load and its environment. */
export function loadCommand(
  bench: Bench,
  trial: TrialInput,
  prepared: Prepared,
  load: LoadPlan,
  bootstrapServers: string,
): { argv: string[]; env: Readonly<Record<string, string>> } {
  const topic = prepared.topics[load.topic];
  const records = trial.counts[load.name];
  const payloadFile = prepared.payloads[load.name];
  if (topic === undefined || records === undefined || payloadFile === undefined) {
    throw voids('bug', `no topic, count or payload for load ${load.name}`);
  }
  if (load.kind !== 'producer') throw voids('bug', `load ${load.name} cannot be started yet`);
  const java = bench.lab.javaCommand(PRODUCER_MAIN, load.heapBytes);
  const { recordsPerS, config } = load;
  const task = { bootstrapServers, topic: topic.name, records, recordsPerS, payloadFile, config };
  return { argv: [...java.argv, ...producerArguments(task)], env: java.env };
}
