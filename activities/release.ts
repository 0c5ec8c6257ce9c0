import { beating, type Beat } from './beat.ts';
import { type Bench, scenarioOf } from './bench.ts';
import type { HostActivities, TrialInput } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { topicName, trialId } from '../src/design/names.ts';

/**
 * Deletes the topics (the next attempt is not prepared before their folders are gone on every broker) and the capsules,
 * whose files are in the store. A topic that is filled once stays, and goes with the lab.
 */
export function releaseActivities(deps: ActivityDeps): Pick<HostActivities, 'releaseTrial'> {
  return {
    releaseTrial: (trial) =>
      beating(async (beat) => release(await deps.benches.open(trial.ref), trial, beat)),
  };
}

async function release(bench: Bench, trial: TrialInput, beat: Beat): Promise<void> {
  beat.say({ phase: 'release', text: 'deleting topics' });
  await deleteTopics(bench, trial, beat);
  for (const name of bench.plan.lab.clients.names) {
    const host = bench.lab.client(name);
    for (const capsule of await host.list(`${trial.ref.key}/${trialId(trial)}`)) await host.remove(capsule);
  }
}

/** With a broker dead a topic cannot be deleted everywhere: the repair does it (activities/lab.ts). */
async function deleteTopics(bench: Bench, trial: TrialInput, beat: Beat): Promise<void> {
  const { brokers } = await bench.lab.inspect();
  if (brokers.some((broker) => !broker.alive)) return;
  for (const topic of scenarioOf(bench, trial).topics) {
    if (topic.fill?.each === 'experiment') continue;
    await bench.lab.admin.deleteTopic(topicName(trial.ref.key, trial, topic.name), beat.signal);
  }
}
