import { blockName, type TrialName } from '../../design/names.ts';
import type { AttemptEvidence, TrialEvidence } from '../../measure/trial-evidence.ts';
import type { Store } from '../../store/store.ts';

/** What the history of a trial says that `collect` was given. */
export interface Collected {
  readonly trial: Pick<AttemptEvidence['trial'], 'counts' | 'rampMs' | 'position'>;
  readonly evidence: TrialEvidence;
}

interface History {
  readonly events?: readonly {
    readonly activityTaskScheduledEventAttributes?: {
      readonly activityType?: { readonly name?: string };
      readonly input?: { readonly payloads?: readonly { readonly data?: string }[] };
    };
  }[];
}

/** File of a trial's exported history. */
export function historyFile(trial: TrialName): string {
  return `histories/${blockName(trial.block, trial.pass)}/${trial.scenario}.a${trial.attempt}.json`;
}

/** null: not exported, the trial was collected elsewhere (it was terminated), or it is encoded in another way. */
export async function collectedInHistory(store: Store, trial: TrialName): Promise<Collected | null> {
  const path = historyFile(trial);
  if (!(await store.has(path))) return null;
  try {
    const history = JSON.parse((await store.get(path)).toString('utf8')) as History;
    const data = history.events
      ?.map((event) => event.activityTaskScheduledEventAttributes)
      .findLast((activity) => activity?.activityType?.name === 'collectTrial')?.input?.payloads?.[0]?.data;
    if (data === undefined) return null;
    const input = JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as Partial<Collected>;
    return input.trial && input.evidence ? { trial: input.trial, evidence: input.evidence } : null;
  } catch {
    return null;
  }
}
