import { join } from 'node:path';
import type { ExperimentRef, TrialInput } from './contract.ts';
import { voids } from './errors.ts';
import { openLab } from './open-lab.ts';
import { trialId } from '../src/design/names.ts';
import { FILES, LATER_LABS, loadJson, loadPlan } from '../src/store/experiment-files.ts';
import type { Plan, Scenario } from '../src/design/plan.ts';
import type { Home } from '../src/lab/home.ts';
import type { Lab, LabFacts } from '../src/lab/lab.ts';
import { createFolderStore } from '../src/store/folder-store.ts';
import { openStoreAt } from '../src/store/open-store.ts';
import { createTwoPlaceStore, type TwoPlaceStore } from '../src/store/two-place-store.ts';

/** What every activity of a running experiment needs. */
export interface Bench {
  readonly home: Home;
  readonly ref: ExperimentRef;
  readonly plan: Plan;
  readonly planSha256: string;
  readonly store: TwoPlaceStore;
  readonly lab: Lab;
}

/** Opens experiments on this host; one lab object an experiment, so that admin connections are kept. */
export interface Benches {
  open(ref: ExperimentRef): Promise<Bench>;
  /** Closes the connections of an experiment's lab. */
  close(key: string): Promise<void>;
}

export function openStore(home: Home, ref: ExperimentRef): TwoPlaceStore {
  return createTwoPlaceStore(openStoreAt(ref.store), createFolderStore(rescueFolder(home, ref.key)));
}

/** Where results go that the store cannot take. */
export function rescueFolder(home: Home, key: string): string {
  return join(home.root, 'rescue', key);
}

export function createBenches(home: Home): Benches {
  const open = new Map<string, Promise<Bench>>();
  return {
    open(ref) {
      const bench = open.get(ref.key) ?? openBench(home, ref);
      open.set(ref.key, bench);
      bench.catch(() => open.delete(ref.key));
      return bench;
    },
    async close(key) {
      const bench = await open.get(key);
      open.delete(key);
      await bench?.lab.admin.close();
    },
  };
}

async function openBench(home: Home, ref: ExperimentRef): Promise<Bench> {
  const store = openStore(home, ref);
  const { plan, planSha256 } = await loadPlan(store);
  const lab = await openLab(home, ref, plan, store);
  return { home, ref, plan, planSha256, store, lab };
}

/** The trial's scenario; its absence is our bug. */
export function scenarioOf(bench: Bench, trial: TrialInput): Scenario {
  const scenario = bench.plan.scenarios.find((s) => s.slug === trial.scenario);
  if (scenario === undefined)
    throw voids('bug', `the plan has no scenario ${trial.scenario} (${trialId(trial)})`);
  return scenario;
}

/** Facts of the lab as they were stored when it was provisioned; of several labs those of the last. */
export async function environmentOf(bench: Bench): Promise<Environment> {
  const later = (await bench.store.list(LATER_LABS)).toSorted().at(-1);
  return (await loadJson<Environment>(bench.store, later ?? FILES.environment)).value;
}

/** `environment.json`: what the lab is, and the state of the machine before anything was measured. */
export interface Environment extends LabFacts {
  readonly format: 1;
  /** Dirty + Writeback of the quiet machine: settle and drain are judged against it. */
  readonly baseDirtyBytes: number;
  readonly assayVersion: string;
  readonly nodeVersion: string;
}
