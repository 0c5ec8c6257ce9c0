import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan } from '../design/plan.ts';
import type { Home } from '../lab/home.ts';
import type { ExperimentRecord } from '../report/results.ts';
import type { Summary } from '../report/summary.ts';
import { foldersIn } from './folders-in.ts';

/** What a results folder tells about its experiment at a glance; null = not written (yet). */
export interface ResultFolder {
  readonly folder: string;
  /** The experiment key: the folder's name unless `experiment.json` says another. */
  readonly key: string;
  readonly workflowId: string | null;
  readonly name: string | null;
  readonly outcome: ExperimentRecord['outcome'] | null;
  readonly answer: string | null;
  readonly rehearsal: boolean;
  /** ISO 8601. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** Every results folder in the store of this home and in its second place. Folders without a plan are none. */
export function resultFolders(home: Home): ResultFolder[] {
  return [home.results, join(home.root, 'rescue')].flatMap((place) =>
    foldersIn(place).flatMap((name) => readResultFolder(join(place, name), name) ?? []),
  );
}

/** One folder; null when it holds no plan. */
export function readResultFolder(folder: string, name: string): ResultFolder | null {
  const plan = readJson<Plan>(join(folder, 'plan.json'));
  if (plan === null) return null;
  const experiment = readJson<ExperimentRecord>(join(folder, 'experiment.json'));
  const summary = readJson<Summary>(join(folder, 'summary.json'));
  return {
    folder,
    key: experiment?.key ?? name,
    workflowId: experiment?.workflowId ?? null,
    name: plan.name ?? null,
    outcome: experiment?.outcome ?? null,
    answer: summary?.answer ?? null,
    rehearsal: plan.smoke === true,
    startedAt: experiment?.startedAt ?? null,
    endedAt: experiment?.endedAt ?? null,
  };
}

/** Some fields of a JSON object; null when it cannot be read: a list goes on where a report would stop. */
// The caller names the type, and takes every field for possibly absent.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function readJson<T>(path: string): Partial<T> | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
