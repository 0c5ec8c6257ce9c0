import type { TrialRecord } from '../measure/trial-record.ts';
import { suggestion } from '../spec/did-you-mean.ts';
import { loadJson } from '../store/experiment-files.ts';
import type { Store } from '../store/store.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';

/** One attempt in a store: its id and the names of all its files. */
export interface AttemptFiles {
  /** `b3/batch=64KiB/a1`. */
  readonly id: string;
  /** Below the trial's folder, e.g. `p.stdout`. */
  readonly files: readonly string[];
}

/** Every attempt of which anything lies in the store, warm-up first, in the order of blocks. */
export async function attemptsIn(store: Store): Promise<AttemptFiles[]> {
  const byId = new Map<string, string[]>();
  for (const path of await store.list('trials/')) {
    const match = /^trials\/([^/]+\/[^/]+\/a\d+)\/(.+)$/.exec(path);
    if (match?.[1] === undefined || match[2] === undefined) continue;
    byId.set(match[1], [...(byId.get(match[1]) ?? []), match[2]]);
  }
  const byNumbers = new Intl.Collator('en', { numeric: true });
  return [...byId].map(([id, files]) => ({ id, files })).sort((a, b) => byNumbers.compare(a.id, b.id));
}

/**
 * The attempt that the user means: `b3/batch=64KiB/a1`, or `b3/batch=64KiB` for the last attempt of that trial.
 *
 * @throws CommandFailure when there is none, exit code 2.
 */
export function findAttempt(attempts: readonly AttemptFiles[], named: string): AttemptFiles {
  const wanted = named.replace(/^trials\//, '').replace(/\/+$/, '');
  const found =
    attempts.find(({ id }) => id === wanted) ?? attempts.findLast(({ id }) => trialOf(id) === wanted);
  if (found !== undefined) return found;
  if (attempts.length === 0) {
    throw new CommandFailure(EXIT.usage, 'No trial is in the store yet: raw files arrive when a trial ends.');
  }
  const known = attempts.flatMap(({ id }) => (/\/a\d+$/.test(wanted) ? [id] : [trialOf(id)]));
  const near = suggestion(wanted, [...new Set(known)]);
  throw new CommandFailure(
    EXIT.usage,
    `There is no trial ${JSON.stringify(named)} here.${near === '' ? '' : ` ${near}`} \`assay trial ls\` lists them; a trial that runs has no files here yet.`,
  );
}

/** `b3/batch=64KiB` of `b3/batch=64KiB/a1`. */
function trialOf(id: string): string {
  return id.replace(/\/a\d+$/, '');
}

/** The attempt's record; null when it ended before one was written. */
export async function recordOf(store: Store, attempt: AttemptFiles): Promise<TrialRecord | null> {
  if (!attempt.files.includes('trial.json')) return null;
  return (await loadJson<TrialRecord>(store, `trials/${attempt.id}/trial.json`)).value;
}
