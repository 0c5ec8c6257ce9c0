import type { Analysis } from '../analysis/analysis.ts';
import type { PricesRecord } from '../design/cost.ts';
import type { Deviation } from '../design/deviation.ts';
import type { Frozen, Plan } from '../design/plan.ts';
import type { Stamped } from '../design/smoke.ts';
import type { LabFacts } from '../lab/lab.ts';
import type { CloudWatchRecord } from '../measure/cloudwatch.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { StoreError } from '../store/errors.ts';
import { FILES, labEnvironmentFile, loadDeviations, loadJson } from '../store/experiment-files.ts';
import type { Store } from '../store/store.ts';

/** How an experiment ended, as it stands in the store (`experiment.json`). */
export interface ExperimentRecord extends Stamped {
  readonly format: 1;
  readonly key: string;
  readonly workflowId: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly outcome: 'completed' | 'aborted' | 'failed' | 'completed-with-leaks';
  readonly message: string | null;
  /** What teardown could not remove, each named. */
  readonly leaks: readonly string[];
  /** Steps around the measuring that failed, e.g. an export; they void nothing. */
  readonly notes: readonly string[];
  /** What the command line changed in the spec, e.g. `--blocks 3`. */
  readonly overrides: readonly string[];
}

/** The lab as it was provisioned (`environment.json`). What was not recorded is absent. */
export interface EnvironmentRecord extends LabFacts {
  readonly format: 1;
  /** Dirty + Writeback of the quiet machine: settle and drain are judged against it. */
  readonly baseDirtyBytes?: number;
  readonly assayVersion?: string;
  readonly nodeVersion?: string;
}

/** One of an experiment's labs, from 1, as it was provisioned. */
export interface NumberedLab {
  readonly lab: number;
  readonly environment: EnvironmentRecord;
}

/** The corpora that loads read (`payloads.json`): hash and size by name. */
export interface PayloadsRecord {
  readonly format: 1;
  readonly payloads: Readonly<Record<string, { readonly sha256: string; readonly bytes: number }>>;
}

/** Everything a report needs, read from the store alone. What an experiment did not get to is null. */
export interface Results {
  readonly plan: Plan;
  /** Of `plan.json` as stored. */
  readonly planSha256: string;
  readonly frozen: Frozen | null;
  readonly frozenSha256: string | null;
  readonly analysis: Analysis | null;
  readonly environment: EnvironmentRecord | null;
  /** The second and later labs, as far as they were provisioned. */
  readonly laterLabs: readonly NumberedLab[];
  /** What CloudWatch counted; null where it was not read. */
  readonly metrics: CloudWatchRecord | null;
  /** What AWS listed for a lab whose spec gives no prices; null or absent = it was not asked. */
  readonly prices?: PricesRecord | null;
  readonly experiment: ExperimentRecord | null;
  readonly payloads: PayloadsRecord | null;
  /** What was changed by hand while it ran. */
  readonly deviations: readonly Deviation[];
  /** In the order they ran. */
  readonly trials: readonly TrialRecord[];
  /** Every file of the store, rendered ones included, by path. */
  readonly files: readonly string[];
}

/**
 * Reads the results of one experiment, complete or not: an aborted one may have no analysis, not even a
 * frozen plan.
 * @throws StoreError missing without `plan.json`; corrupt for JSON that cannot be read or a foreign format.
 */
export async function loadResults(store: Store): Promise<Results> {
  const files = await store.list('');
  const plan = await load<Plan>(store, files, 'plan.json');
  if (plan === null) {
    const fix =
      'Name a results folder of `assay run`; an experiment that failed before its plan has no report';
    throw new StoreError(
      'missing',
      { path: 'plan.json', location: store.location },
      'there is no plan here',
      fix,
    );
  }
  const trials: TrialRecord[] = [];
  for (const path of files.filter((f) => f.startsWith('trials/') && f.endsWith('/trial.json'))) {
    const trial = await load<TrialRecord>(store, files, path);
    if (trial) trials.push(trial.value);
  }
  const frozen = await load<Frozen>(store, files, 'frozen.json');
  return {
    plan: plan.value,
    planSha256: plan.sha256,
    frozen: frozen?.value ?? null,
    frozenSha256: frozen?.sha256 ?? null,
    analysis: (await load<Analysis>(store, files, 'analysis.json'))?.value ?? null,
    environment: (await load<EnvironmentRecord>(store, files, 'environment.json'))?.value ?? null,
    laterLabs: await laterLabs(store, files, plan.value),
    metrics: (await load<CloudWatchRecord>(store, files, FILES.metrics))?.value ?? null,
    prices: (await load<PricesRecord>(store, files, FILES.prices))?.value ?? null,
    experiment: (await load<ExperimentRecord>(store, files, 'experiment.json'))?.value ?? null,
    payloads: (await load<PayloadsRecord>(store, files, 'payloads.json'))?.value ?? null,
    deviations: await loadDeviations(store),
    trials: trials.sort(byRunOrder),
    files,
  };
}

async function laterLabs(store: Store, files: readonly string[], plan: Plan): Promise<NumberedLab[]> {
  const found: NumberedLab[] = [];
  for (let lab = 2; lab <= plan.labs; lab += 1) {
    const environment = await load<EnvironmentRecord>(store, files, labEnvironmentFile(lab));
    if (environment !== null) found.push({ lab, environment: environment.value });
  }
  return found;
}

function byRunOrder(a: TrialRecord, b: TrialRecord): number {
  return (
    a.block - b.block || (a.pass ?? 0) - (b.pass ?? 0) || a.position - b.position || a.attempt - b.attempt
  );
}

/** null when there is no such file. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
async function load<T extends { readonly format: 1 }>(
  store: Store,
  files: readonly string[],
  path: string,
): Promise<{ value: T; sha256: string } | null> {
  return files.includes(path) ? loadJson<T>(store, path) : null;
}
