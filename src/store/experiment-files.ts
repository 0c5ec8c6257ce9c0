import type { Deviation, DeviationsRecord } from '../design/deviation.ts';
import type { Frozen, Plan } from '../design/plan.ts';
import { trialId, type TrialName } from '../design/names.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { StoreError } from './errors.ts';
import { sha256 } from './folder-store.ts';
import type { Store } from './store.ts';

/** Names of the files of an experiment, relative to its folder. */
export const FILES = {
  /** The spec as it was given, JSON: what the plan is drawn from. */
  spec: 'spec.json',
  plan: 'plan.json',
  frozen: 'frozen.json',
  environment: 'environment.json',
  /** Absent when everything went as planned. */
  deviations: 'deviations.json',
  analysis: 'analysis.json',
  experiment: 'experiment.json',
  /** What CloudWatch counted; absent where none was read. */
  metrics: 'cloudwatch.json',
  /** What AWS listed on the day; absent where the spec gives prices, or nothing is billed. */
  prices: 'prices.json',
} as const;

/** What the files of the second and later labs of an experiment begin with; each is like `environment.json`. */
export const LATER_LABS = 'labs/';

/** Where the facts of the second or a later lab are. */
export function labEnvironmentFile(lab: number): string {
  return `${LATER_LABS}lab-${String(lab).padStart(2, '0')}.json`;
}

/** Folder of one attempt: `trials/b3/batch=64KiB/a1`. */
export function trialFolder(trial: TrialName): string {
  return `trials/${trialId(trial)}`;
}

/** JSON as everything is stored: two spaces, a newline at the end. */
export function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Reads the plan and its hash (of the stored bytes). */
export async function loadPlan(store: Store): Promise<{ plan: Plan; planSha256: string }> {
  const { value, sha256 } = await loadJson<Plan>(store, FILES.plan);
  return { plan: value, planSha256: sha256 };
}

/** null before `freeze`. */
export async function loadFrozen(store: Store): Promise<{ frozen: Frozen; frozenSha256: string } | null> {
  if (!(await store.has(FILES.frozen))) return null;
  const { value, sha256 } = await loadJson<Frozen>(store, FILES.frozen);
  return { frozen: value, frozenSha256: sha256 };
}

/** What was changed by hand while the experiment ran; empty when everything went as planned. */
export async function loadDeviations(store: Store): Promise<readonly Deviation[]> {
  if (!(await store.has(FILES.deviations))) return [];
  return (await loadJson<DeviationsRecord>(store, FILES.deviations)).value.deviations;
}

/** All attempts in the store, in the order in which they ran. */
export async function loadTrials(store: Store): Promise<TrialRecord[]> {
  const paths = (await store.list('trials/')).filter((path) => path.endsWith('/trial.json'));
  const records = await Promise.all(paths.map((path) => loadJson<TrialRecord>(store, path)));
  return records
    .map((r) => r.value)
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt) || a.position - b.position);
}

/**
 * A JSON file of format 1 and the hash of its bytes. The caller names the type: its format number is all that is
 * checked here.
 * @throws StoreError missing; corrupt for what is no JSON object, or of another format.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function loadJson<T extends { readonly format: 1 }>(
  store: Store,
  path: string,
): Promise<{ value: T; sha256: string }> {
  const bytes = await store.get(path);
  const corrupt = (why: string, fix: string, options?: ErrorOptions): StoreError =>
    new StoreError('corrupt', { path, location: store.location }, why, fix, options);
  const look = 'Run `assay verify` on the folder to see what changed';
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw corrupt('it is not JSON', look, { cause: error });
  }
  if (typeof value !== 'object' || value === null) throw corrupt('it holds no object', look);
  const found: unknown = 'format' in value ? value.format : undefined;
  if (found !== 1) {
    const why = `its format is ${JSON.stringify(found) ?? 'not given'}, this Assay reads format 1`;
    throw corrupt(why, 'Use the Assay that wrote it, or a newer one');
  }
  return { value: value as T, sha256: sha256(bytes) };
}
