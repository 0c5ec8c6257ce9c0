import type { TrialRecord } from '../measure/trial-record.ts';
import type { ExperimentRecord } from '../report/results.ts';
import { FILES, loadJson, loadPlan, loadTrials } from '../store/experiment-files.ts';
import type { Store } from '../store/store.ts';

/** How far an experiment came, as its results tell it without Temporal. */
export interface StoredStatus {
  readonly name: string;
  readonly workflowId: string | null;
  /** null = it has not ended, or its end was not recorded. */
  readonly outcome: ExperimentRecord['outcome'] | null;
  readonly message: string;
  readonly valid: number;
  readonly voided: number;
  readonly planned: number;
  readonly location: string;
}

/**
 * Reads it from a store.
 * @throws StoreError missing when there is no plan.
 */
export async function storedStatus(store: Store): Promise<StoredStatus> {
  const { plan } = await loadPlan(store);
  const ended = (await store.has(FILES.experiment))
    ? (await loadJson<ExperimentRecord>(store, FILES.experiment)).value
    : null;
  const measured = (await loadTrials(store)).filter(({ block }: TrialRecord) => block > 0);
  const valid = measured.filter(({ verdict }) => verdict.valid).length;
  return {
    name: plan.name,
    workflowId: ended?.workflowId ?? null,
    outcome: ended?.outcome ?? null,
    message: ended === null ? 'no end is recorded here: it runs, or was cut short' : (ended.message ?? ''),
    valid,
    voided: measured.length - valid,
    planned: plan.scenarios.length * plan.orders.length,
    location: store.location,
  };
}

/** One fact a line. */
export function storedStatusText(status: StoredStatus): string {
  const { name, outcome, message, valid, voided, planned, location } = status;
  const lines = [
    `${name}  ${outcome ?? 'not ended'}  ${message}`.trimEnd(),
    `  trials: ${valid} valid of ${planned} planned${voided > 0 ? `, ${voided} void` : ''}`,
    `  results: ${location}`,
  ];
  return `${lines.join('\n')}\n`;
}
