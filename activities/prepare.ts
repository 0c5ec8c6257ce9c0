import { beating, type Beat } from './beat.ts';
import { type Bench, scenarioOf } from './bench.ts';
import type { HostActivities, Prepared, TrialInput } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { foldersGone } from './folders-gone.ts';
import { requireAlive } from './identities.ts';
import { keepLease } from './lease.ts';
import { putPayload } from './payloads.ts';
import { startSamplers } from './samplers.ts';
import { attemptTopics, topicNameOf } from '../src/design/names.ts';

/**
 * Fresh topics with full ISR, payloads in place, samplers running, every identity fixed, and no folder left of the topics
 * of earlier attempts.
 */
export function prepareActivities(deps: ActivityDeps): Pick<HostActivities, 'prepareTrial'> {
  return {
    prepareTrial: (trial) =>
      beating(async (beat) => {
        await keepLease(trial.ref);
        return prepare(await deps.benches.open(trial.ref), trial, beat);
      }),
  };
}

async function prepare(bench: Bench, trial: TrialInput, beat: Beat): Promise<Prepared> {
  const scenario = scenarioOf(bench, trial);
  beat.say({ phase: 'prepare', text: 'creating topics' });
  const identities = await requireAlive(bench, beat);
  await startSamplers(bench, trial);
  const topics: Record<string, Prepared['topics'][string]> = {};
  for (const topic of scenario.topics) {
    const name = topicNameOf(trial.ref.key, trial, topic);
    topics[topic.name] = {
      name,
      partitions: await bench.lab.admin.createTopic({ ...topic, name }, beat.signal),
    };
  }
  const payloads: Record<string, string> = {};
  for (const load of scenario.loads)
    if (load.kind === 'producer') payloads[load.name] = await putPayload(bench, load.payload, load.on);
  // What the brokers still delete of earlier attempts would be written while this one is measured.
  const own = Object.values(topics).map(({ name }) => name);
  await foldersGone(bench, attemptTopics(trial.ref.key), own, beat);
  return { atMs: Date.now(), identities, topics, payloads };
}
