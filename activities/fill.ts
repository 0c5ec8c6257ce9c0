import { beating, type Beat } from './beat.ts';
import { type Bench, scenarioOf } from './bench.ts';
import type { HostActivities, Prepared, TrialInput } from './contract.ts';
import { countRecords } from './count-records.ts';
import type { ActivityDeps } from './deps.ts';
import { voids } from './errors.ts';
import { foldersGone } from './folders-gone.ts';
import { type FillTask, followFill, launchFill } from './fill-producer.ts';
import { keepLease } from './lease.ts';
import { preparePageCache } from './page-cache.ts';
import { reach } from './reach.ts';
import { keptFillCapsules, trialCapsule } from '../src/design/names.ts';
import type { FillPlan, TopicPlan } from '../src/design/plan.ts';
import type { Filled } from '../src/measure/trial-evidence.ts';

/** Fills topics before a load, counts what is in them, and prepares the page cache. */
export function fillActivities(deps: ActivityDeps): Pick<HostActivities, 'fillTrial'> {
  return {
    fillTrial: ({ trial, prepared }) =>
      beating(
        async (beat) => {
          await keepLease(trial.ref);
          return fillTopics(await deps.benches.open(trial.ref), trial, prepared, beat);
        },
        () => keepLease(trial.ref),
      ),
  };
}

/** The attempt as prepared now: a kept topic may be another one than before, and what happens while it is filled is no event. */
async function fillTopics(
  bench: Bench,
  trial: TrialInput,
  prepared: Prepared,
  beat: Beat,
): Promise<Prepared> {
  const topics: Record<string, Prepared['topics'][string]> = { ...prepared.topics };
  const fills: Record<string, Filled> = {};
  for (const topic of scenarioOf(bench, trial).topics) {
    const name = topics[topic.name]?.name;
    if (topic.fill === null || name === undefined) continue;
    const task = taskOf(bench, trial, topic, topic.fill, name);
    const startedAt = performance.now();
    const now = await (topic.fill.each === 'attempt'
      ? fillFresh(bench, trial, task, beat)
      : fillKept(bench, task, beat));
    const tookMs = Math.round(performance.now() - startedAt);
    await preparePageCache(bench, trial, topic, name, beat);
    topics[topic.name] = { name, partitions: await bench.lab.admin.createTopic(task.topic, beat.signal) };
    fills[topic.name] = {
      records: topic.fill.records,
      now,
      tookMs,
      diskBytesPerRecord: await diskBytesPerRecord(bench, topic, name),
      cache: topic.fill.cache,
    };
  }
  return { ...prepared, atMs: Date.now(), topics, fills };
}

function taskOf(
  bench: Bench,
  trial: TrialInput,
  topic: TopicPlan,
  { records, payload }: FillPlan,
  name: string,
): FillTask {
  const { partitions, replication, config } = topic;
  return {
    topic: { name, partitions, replication, config },
    as: topic.name,
    records,
    payload,
    client: bench.plan.lab.clients.names[0] ?? 'c1',
    limitMs: trial.fillLimitMs ?? 3_600_000,
  };
}

/** A topic of this attempt alone; a retry finds the capsule that the first try launched. */
async function fillFresh(bench: Bench, trial: TrialInput, task: FillTask, beat: Beat): Promise<boolean> {
  const capsule = trialCapsule(trial.ref.key, trial, `fill.${task.as}`);
  await launchFill(bench, task, capsule);
  await complete(bench, task, capsule, beat);
  return true;
}

/**
 * Whoever comes first fills it; half filled, as by a trial that was ended, it is made and filled anew. Each try has a
 * capsule of its own, so that the log and the last capsule say everything, also to a retry.
 *
 * @returns whether it was filled now.
 */
async function fillKept(bench: Bench, task: FillTask, beat: Beat): Promise<boolean> {
  const host = bench.lab.client(task.client);
  const tries = keptFillCapsules(bench.ref.key, task.topic.name);
  const numbers = (await host.list(tries)).map((one) => Number(one.slice(tries.length + 1)));
  const last = Math.max(0, ...numbers);
  if (last > 0 && (await host.poll(`${tries}/${last}`)).state === 'running') {
    await complete(bench, task, `${tries}/${last}`, beat);
    return true;
  }
  beat.say({ phase: 'fill', text: `counting what is in ${task.as}` });
  const inLog =
    last === 0 ? await bench.lab.admin.recordsInLog(task.topic.name) : await settledAt(bench, task, beat);
  if (inLog === null)
    throw voids('host-gone', `${task.as}: the brokers did not say how many records it holds`);
  if (inLog === task.records) return false;
  if (inLog !== 0) await makeAnew(bench, task, last === 0 ? null : `${tries}/${last}`, beat);
  await launchFill(bench, task, `${tries}/${last + 1}`);
  await complete(bench, task, `${tries}/${last + 1}`, beat);
  return true;
}

/** The high watermark lags: a count that is short may be right in a moment. */
async function settledAt(bench: Bench, task: FillTask, beat: Beat): Promise<number | null> {
  return (await countRecords(bench, task.topic.name, task.records, true, beat)).inLog;
}

async function makeAnew(bench: Bench, task: FillTask, capsule: string | null, beat: Beat): Promise<void> {
  beat.say({ phase: 'fill', text: `${task.as} is half filled: making it anew` });
  if (capsule !== null) await bench.lab.client(task.client).kill(capsule);
  await bench.lab.admin.deleteTopic(task.topic.name, beat.signal);
  await foldersGone(bench, task.topic.name, [], beat);
  await bench.lab.admin.createTopic(task.topic, beat.signal);
}

/** Follows a fill to its end; the log must hold every record, and no more. */
async function complete(bench: Bench, task: FillTask, capsule: string, beat: Beat): Promise<void> {
  const problem = await followFill(bench, task, capsule, beat);
  if (problem !== null) throw voids('fill-failed', `${task.as}: ${problem}`);
  const inLog = await settledAt(bench, task, beat);
  if (inLog !== task.records)
    throw voids(
      'fill-failed',
      `${task.as}: ${task.records} records were to be filled in, ${inLog ?? 'an unknown number'} are in the log`,
    );
}

async function diskBytesPerRecord(bench: Bench, topic: TopicPlan, name: string): Promise<number | null> {
  const bytes = await bench.lab.admin.bytesOnDisk(name).catch(() => null);
  const copies = topic.replication * (topic.fill?.records ?? 0);
  return bytes === null || copies === 0 ? null : bytes / copies;
}

/** Ends fills that still run: of this attempt, and of kept topics. */
export async function stopFills(bench: Bench, trial: TrialInput, beat: Beat): Promise<void> {
  const client = bench.plan.lab.clients.names[0] ?? 'c1';
  const host = bench.lab.client(client);
  const fresh = scenarioOf(bench, trial).topics.flatMap((topic) =>
    topic.fill?.each === 'attempt' ? [trialCapsule(trial.ref.key, trial, `fill.${topic.name}`)] : [],
  );
  await reach(bench, `client ${client}`, beat, async () => {
    const kept = await host.list(`${trial.ref.key}/fills`);
    await Promise.all([...fresh, ...kept].map((capsule) => host.kill(capsule)));
  });
}
