import type { Plan } from '../../design/plan.ts';
import { deriveTrial } from '../../measure/derive-trial.ts';
import type { AttemptEvidence } from '../../measure/trial-evidence.ts';
import type { TrialRecord } from '../../measure/trial-record.ts';
import { EVIDENCE, loadEvidence, loadRaw, TRIAL } from '../../store/attempt-files.ts';
import { loadJson, trialFolder } from '../../store/experiment-files.ts';
import type { Store } from '../../store/store.ts';
import { compareJson, type Compared, type Difference } from './compare.ts';
import { collectedInHistory } from './histories.ts';

/** One attempt, derived again. */
export interface TrialAgain extends Compared {
  /** As derived; as stored where it could not be derived. */
  readonly record: TrialRecord;
  /** Its evidence is also what its exported history holds; null = there is no such history. */
  readonly inHistory: boolean | null;
}

/** Derives one attempt again from its raw files and its evidence, and compares it with its `trial.json`. */
export async function trialAgain(store: Store, plan: Plan, folder: string): Promise<TrialAgain> {
  const path = `${folder}/${TRIAL}`;
  const { value: stored } = await loadJson<TrialRecord>(store, path);
  const attempt = await loadEvidence(store, folder);
  const scenario = plan.scenarios.find((s) => s.slug === attempt?.trial.scenario);
  if (attempt === null || scenario === undefined) {
    const derived =
      attempt === null
        ? `nothing: there is no ${EVIDENCE} beside it (an earlier Assay wrote none)`
        : `nothing: the plan has no scenario ${attempt.trial.scenario}`;
    const differences = [{ path, where: '', stored: 'a record', derived }];
    return { record: stored, numbers: 0, differences, inHistory: null };
  }
  const loads = scenario.loads.map((l) => l.name);
  let record: TrialRecord;
  try {
    record = deriveTrial(plan, attempt, await loadRaw(store, folder, attempt, loads));
  } catch (error) {
    const derived = `nothing: ${error instanceof Error ? error.message : String(error)}`;
    return {
      record: stored,
      numbers: 0,
      differences: [{ path, where: '', stored: 'a record', derived }],
      inHistory: null,
    };
  }
  const compared = compareJson(path, stored, record);
  const history = await historyAgain(store, folder, attempt);
  const moved: Difference[] =
    trialFolder(record) === folder
      ? []
      : [{ path, where: 'id', stored: folder, derived: trialFolder(record) }];
  return {
    record,
    numbers: compared.numbers,
    differences: [...moved, ...compared.differences, ...(history ?? [])],
    inHistory: history === null ? null : history.length === 0,
  };
}

/** The history of a trial carried the same evidence: both must say the same. null = it was not exported. */
async function historyAgain(
  store: Store,
  folder: string,
  attempt: AttemptEvidence,
): Promise<readonly Difference[] | null> {
  const collected = await collectedInHistory(store, attempt.trial);
  if (collected === null) return null;
  const { counts, rampMs, position } = collected.trial;
  const trial = { ...attempt.trial, counts, rampMs, position };
  const told = { ...attempt, trial, seen: collected.evidence };
  return compareJson(`${folder}/${EVIDENCE}`, attempt, told).differences;
}
