import { beating, type Beat } from './beat.ts';
import { type Bench, scenarioOf } from './bench.ts';
import type { HostActivities, TrialInput } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { isGone } from './errors.ts';
import { askLab, reach } from './reach.ts';
import { topicName, trialId } from '../src/design/names.ts';
import type { Host } from '../src/lab/host.ts';

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
  const hosts = new Map(bench.lab.samplerHosts().map(({ who, host }) => [who, host]));
  for (const name of bench.plan.lab.clients.names) hosts.set(`client ${name}`, bench.lab.client(name));
  await Promise.all(
    [...hosts].map(([who, host]) => reach(bench, who, beat, () => removeCapsules(host, trial))),
  );
}

async function removeCapsules(host: Host, trial: TrialInput): Promise<void> {
  for (const capsule of await host.list(`${trial.ref.key}/${trialId(trial)}`)) await host.remove(capsule);
}

/** With a broker or client lost a topic cannot be deleted everywhere, or by nobody: the repair does it (activities/lab.ts). */
async function deleteTopics(bench: Bench, trial: TrialInput, beat: Beat): Promise<void> {
  if ((await askLab(beat, () => bench.lab.lost())).length > 0) return;
  for (const topic of scenarioOf(bench, trial).topics) {
    if (topic.fill?.each === 'experiment') continue;
    try {
      await bench.lab.admin.deleteTopic(topicName(trial.ref.key, trial, topic.name), beat.signal);
    } catch (error) {
      if (isGone(error)) return;
      throw error;
    }
  }
}
