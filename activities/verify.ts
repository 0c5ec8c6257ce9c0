import { beating, type Beat } from './beat.ts';
import { type Bench, scenarioOf } from './bench.ts';
import type { HostActivities, Partition, Prepared, TrialInput, Verified } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { identities } from './identities.ts';
import { loadOutput } from './load-files.ts';
import { until } from '../src/lab/wait.ts';
import { offsetsSettled, type OffsetReading } from '../src/measure/offsets-settled.ts';

const ASK_MS = 500;
/** Longer than the lag of a high watermark and than a follower's way back into ISR after a stall. */
const LIMIT_MS = 45_000;
/** With a broker dead, a partition without a leader cannot be asked at all. */
const BROKEN_LIMIT_MS = 15_000;

/** Looks at the log independently of the tool: end offsets, leaders, epochs, ISR, broker events, identities. */
export function verifyActivities(deps: ActivityDeps): Pick<HostActivities, 'verifyTrial'> {
  return {
    verifyTrial: ({ trial, prepared }) =>
      beating(async (beat) => verify(await deps.benches.open(trial.ref), trial, prepared, beat)),
  };
}

async function verify(bench: Bench, trial: TrialInput, prepared: Prepared, beat: Beat): Promise<Verified> {
  const claimed = await claimedByTopic(bench, trial);
  // With a dead broker the in-sync set never gets full again: waiting for it would only take time.
  const whole = Object.values(await identities(bench)).every((identity) => identity !== null);
  const topics: Record<string, Verified['topics'][string]> = {};
  for (const [topic, { name }] of Object.entries(prepared.topics)) {
    beat.say({ phase: 'verify', text: `counting the records of ${topic}` });
    topics[topic] = await countRecords(bench, name, claimed[topic] ?? 0, whole, beat);
  }
  const names = Object.values(prepared.topics).map((t) => t.name);
  const events = await Promise.all(names.map((name) => bench.lab.admin.brokerEvents(prepared.atMs, name)));
  return {
    identities: await identities(bench),
    topics,
    events: events.flat().map(({ broker, kind, line }) => ({ broker, kind, line: line.slice(0, 300) })),
  };
}

/** Topic → records that its loads say they sent. */
async function claimedByTopic(bench: Bench, trial: TrialInput): Promise<Record<string, number>> {
  const claimed: Record<string, number> = {};
  for (const load of scenarioOf(bench, trial).loads) {
    const { output } = await loadOutput(bench, trial, load);
    claimed[load.topic] = (claimed[load.topic] ?? 0) + (output.final?.records ?? 0);
  }
  return claimed;
}

/** Polls until the log holds what was claimed, or stays unchanged for 5 s with full ISR, or time is up. */
async function countRecords(
  bench: Bench,
  name: string,
  claimed: number,
  requireFullIsr: boolean,
  beat: Beat,
): Promise<Verified['topics'][string]> {
  const history: OffsetReading[] = [];
  let partitions: readonly Partition[] | null = null;
  await until(
    async () => {
      partitions = await bench.lab.admin.describeTopic(name).catch(() => null);
      const records = await bench.lab.admin.recordsInLog(name).catch(() => null);
      if (records === null) return undefined;
      history.push({ atMs: performance.now(), records });
      const fullIsr = !requireFullIsr || isFull(partitions);
      const { settled } = offsetsSettled(history, claimed, performance.now(), fullIsr);
      return settled ? true : undefined;
    },
    { everyMs: ASK_MS, limitMs: requireFullIsr ? LIMIT_MS : BROKEN_LIMIT_MS, signal: beat.signal },
  );
  return { inLog: history.at(-1)?.records ?? null, partitions };
}

function isFull(partitions: readonly Partition[] | null): boolean {
  return partitions !== null && partitions.every((p) => p.isr.length === p.replicas.length);
}
