import { beating, type Beat } from './beat.ts';
import { type Bench, type Environment, environmentOf } from './bench.ts';
import type { HostActivities, LabBrief, Leftovers } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { keepLease } from './lease.ts';
import { recordPayloads } from './payloads.ts';
import { recordPrices } from './prices.ts';
import { quietBase } from './quiet-base.ts';
import { rescueUncollected } from './rescue.ts';
import { syncHosts } from './sync.ts';
import { volumesLeft } from './volumes-left.ts';
import { attemptTopics } from '../src/design/names.ts';
import type { LabFacts } from '../src/lab/lab.ts';
import { asJson, FILES, labEnvironmentFile } from '../src/store/experiment-files.ts';

type LabActivities = Pick<
  HostActivities,
  'provisionLab' | 'renewLab' | 'mendLab' | 'teardownLab' | 'verifyGone'
>;

/** Brings the lab up, repairs it, removes it, and looks whether it is gone. */
export function labActivities(deps: ActivityDeps): LabActivities {
  return {
    provisionLab: (ref) =>
      beating(
        async (beat) => provision(deps, await deps.benches.open(ref), beat),
        () => keepLease(ref),
      ),
    renewLab: ({ ref, lab }) =>
      beating(
        async (beat) => renew(deps, await deps.benches.open(ref), lab, beat),
        () => keepLease(ref),
      ),
    mendLab: (ref) =>
      beating(
        async (beat) => mend(await deps.benches.open(ref), beat),
        () => keepLease(ref),
      ),
    teardownLab: (ref) =>
      beating(async (beat) => {
        const bench = await deps.benches.open(ref);
        await rescueUncollected(deps.home, bench, beat);
        await bench.lab.teardown();
        await deps.benches.close(ref.key);
      }),
    verifyGone: (ref) =>
      beating(async (beat) => {
        const bench = await deps.benches.open(ref);
        const found = [await bench.lab.leaks(), await volumesLeft(bench, beat)];
        await deps.benches.close(ref.key);
        return together(found);
      }),
  };
}

async function provision(deps: ActivityDeps, bench: Bench, beat: Beat): Promise<LabBrief> {
  // First: a payload file that is not here should not cost the start of the brokers.
  if (!(await bench.store.has('payloads.json'))) await recordPayloads(bench);
  const facts = await bench.lab.provision((text) => beat.say({ text }), beat.signal);
  await recordPrices(bench, facts, beat);
  if (await bench.store.has(FILES.environment)) return briefOf(bench, facts);
  beat.say({ text: 'reading the base of a quiet machine' });
  const environment: Environment = {
    format: 1,
    ...facts,
    baseDirtyBytes: await restingBase(bench, beat),
    assayVersion: deps.assayVersion,
    nodeVersion: process.version,
  };
  await bench.store.put(FILES.environment, asJson(environment));
  return briefOf(bench, facts);
}

/** As every settle will find it: where that syncs, what the start of the brokers left in memory is written first. */
async function restingBase(bench: Bench, beat: Beat): Promise<number> {
  if (bench.plan.settle.method !== 'sync') return quietBase(bench, 4, beat.signal);
  await syncHosts(bench, `${bench.ref.key}/lab/base-sync/${Date.now()}`, beat);
  return quietBase(bench, 2, beat.signal);
}

function briefOf(bench: Bench, { kafkaVersion, bootstrapServers, existing }: LabFacts): LabBrief {
  const brokers = existing?.brokers.length ?? bench.plan.lab.brokers.count;
  return { kafkaVersion, brokers, bootstrapServers };
}

/**
 * The next of several labs: other processes, folders, cluster id. A retry finds what the first try wrote down: the
 * environment of this lab, which is stored when it is up.
 */
async function renew(deps: ActivityDeps, bench: Bench, lab: number, beat: Beat): Promise<LabBrief> {
  const file = labEnvironmentFile(lab);
  if (!(await bench.store.has(file))) {
    beat.say({ text: `taking lab ${lab - 1} down` });
    await rescueUncollected(deps.home, bench, beat);
    await bench.lab.teardown();
  }
  const facts = await bench.lab.provision((text) => beat.say({ text: `lab ${lab}: ${text}` }), beat.signal);
  if (!(await bench.store.has(file))) {
    const environment: Environment = {
      ...(await environmentOf(bench)),
      ...facts,
      baseDirtyBytes: await restingBase(bench, beat),
    };
    await bench.store.put(file, asJson(environment));
  }
  return briefOf(bench, facts);
}

async function mend(bench: Bench, beat: Beat): Promise<{ repaired: boolean; message: string }> {
  const lost = await bench.lab.lost();
  if (lost.length === 0) return { repaired: false, message: 'all brokers and clients live' };
  await bench.lab.repair((text) => beat.say({ text }), beat.signal);
  // Of attempts that ended while a broker or client was dead: nothing else could delete their topics then.
  for (const topic of await bench.lab.admin.topics(attemptTopics(bench.ref.key)))
    await bench.lab.admin.deleteTopic(topic, beat.signal);
  return { repaired: true, message: `Repaired the lab: brought back ${lost.join(', ')}.` };
}

function together(found: readonly Leftovers[]): Leftovers {
  return {
    leaks: found.flatMap(({ leaks }) => leaks),
    unverified: found.flatMap(({ unverified }) => unverified),
  };
}
