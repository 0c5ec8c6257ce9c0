import type { Plan } from '../../design/plan.ts';
import { deriveTrial } from '../../measure/derive-trial.ts';
import type { AttemptEvidence, RawAttempt } from '../../measure/trial-evidence.ts';
import type { TrialRecord } from '../../measure/trial-record.ts';
import { EVIDENCE, loadEvidence, loadRaw, TRIAL } from '../../store/attempt-files.ts';
import { loadJson, trialFolder } from '../../store/experiment-files.ts';
import type { Store } from '../../store/store.ts';
import { compareJson, type Compared, type Difference, together } from './compare.ts';
import { collectedInHistory } from './histories.ts';
import { quietAgain } from './quiet.ts';

/** One attempt, derived again. */
export interface TrialAgain extends Compared {
  /** As derived; as stored where it could not be derived. */
  readonly record: TrialRecord;
  /** Its evidence is also what its exported history holds; null = there is no such history. */
  readonly inHistory: boolean | null;
}

/**
 * Derives one attempt again from its raw files and its evidence, and compares it with its `trial.json`.
 *
 * @param bases dirty memory of the quiet machine by lab; where it is not recorded, settle and drain are not derived.
 */
export async function trialAgain(
  store: Store,
  plan: Plan,
  bases: ReadonlyMap<number, number | undefined>,
  folder: string,
): Promise<TrialAgain> {
  const path = `${folder}/${TRIAL}`;
  const { value: stored } = await loadJson<TrialRecord>(store, path);
  try {
    const { attempt, raw } = await recorded(store, plan, folder);
    const record = deriveTrial(plan, attempt, raw);
    const history = await historyAgain(store, folder, attempt);
    const compared = together([
      placeAgain(path, folder, record),
      compareJson(path, stored, record),
      quietAgain(plan, bases.get(record.lab ?? 1) ?? null, folder, attempt, raw),
      { numbers: 0, differences: history ?? [] },
    ]);
    return { ...compared, record, inHistory: history === null ? null : history.length === 0 };
  } catch (error) {
    const derived = `nothing: ${error instanceof Error ? error.message : String(error)}`;
    const differences = [{ path, where: '', stored: 'a record', derived }];
    return { record: stored, numbers: 0, differences, inHistory: null };
  }
}

/** @throws Error that says what is missing. */
async function recorded(
  store: Store,
  plan: Plan,
  folder: string,
): Promise<{ attempt: AttemptEvidence; raw: RawAttempt }> {
  const attempt = await loadEvidence(store, folder);
  if (attempt === null) throw new Error(`there is no ${EVIDENCE} beside it (an earlier Assay wrote none)`);
  const scenario = plan.scenarios.find((s) => s.slug === attempt.trial.scenario);
  if (scenario === undefined) throw new Error(`the plan has no scenario ${attempt.trial.scenario}`);
  const loads = scenario.loads.map((l) => l.name);
  return { attempt, raw: await loadRaw(store, folder, attempt, loads) };
}

function placeAgain(path: string, folder: string, record: TrialRecord): Compared {
  const derived = trialFolder(record);
  const differences = derived === folder ? [] : [{ path, where: 'id', stored: folder, derived }];
  return { numbers: 0, differences };
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
