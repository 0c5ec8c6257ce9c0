import { beating, type Beat } from './beat.ts';
import { type Bench, scenarioOf } from './bench.ts';
import type { HostActivities, Prepared, TrialInput, Verified } from './contract.ts';
import { countRecords } from './count-records.ts';
import type { ActivityDeps } from './deps.ts';
import { identities } from './identities.ts';
import { recordsSent } from './load-files.ts';

/** Looks at the log independently of the tool: end offsets, leaders, epochs, ISR, broker events, identities. */
export function verifyActivities(deps: ActivityDeps): Pick<HostActivities, 'verifyTrial'> {
  return {
    verifyTrial: ({ trial, prepared }) =>
      beating(async (beat) => verify(await deps.benches.open(trial.ref), trial, prepared, beat)),
  };
}

async function verify(bench: Bench, trial: TrialInput, prepared: Prepared, beat: Beat): Promise<Verified> {
  const claimed = await expectedByTopic(bench, trial, prepared, beat);
  // With a dead broker the in-sync set never gets full again: waiting for it would only take time.
  const whole = Object.values(await identities(bench, beat)).every((identity) => identity !== null);
  const topics: Record<string, Verified['topics'][string]> = {};
  for (const [topic, { name }] of Object.entries(prepared.topics)) {
    beat.say({ phase: 'verify', text: `counting the records of ${topic}` });
    topics[topic] = await countRecords(bench, name, claimed[topic] ?? 0, whole, beat);
  }
  const names = Object.values(prepared.topics).map((t) => t.name);
  const events = await Promise.all(names.map((name) => bench.lab.admin.brokerEvents(prepared.atMs, name)));
  return {
    identities: await identities(bench, beat),
    topics,
    events: events.flat().map(({ broker, kind, line }) => ({ broker, kind, line: line.slice(0, 300) })),
  };
}

/** Topic → records that its producers say they sent, and what was filled in before. */
async function expectedByTopic(
  bench: Bench,
  trial: TrialInput,
  prepared: Prepared,
  beat: Beat,
): Promise<Record<string, number>> {
  const expected: Record<string, number> = {};
  for (const [topic, { records }] of Object.entries(prepared.fills ?? {})) expected[topic] = records;
  for (const load of scenarioOf(bench, trial).loads) {
    if (load.kind !== 'producer') continue;
    const sent = await recordsSent(bench, trial, load, beat);
    expected[load.topic] = (expected[load.topic] ?? 0) + sent;
  }
  return expected;
}
