import type { AttemptEvidence, LoadEnd, RawAttempt, RawLoad } from '../measure/trial-evidence.ts';
import type { RawFile } from '../measure/trial-record.ts';
import { StoreError } from './errors.ts';
import { loadJson } from './experiment-files.ts';
import { sha256 } from './folder-store.ts';
import type { Store } from './store.ts';

/** Names of the files of one attempt, relative to its folder (`trialFolder`). */
export const TRIAL = 'trial.json';
/** What was only to be seen while it ran. */
export const EVIDENCE = 'evidence.json';

/** What one load leaves behind: both streams of its tool, and how its process ended. */
export function loadFiles(load: string): {
  readonly stdout: string;
  readonly stderr: string;
  readonly end: string;
} {
  return { stdout: `${load}.stdout`, stderr: `${load}.stderr`, end: `${load}.exit.json` };
}

/** The samples of a machine: the first one's are `sampler.jsonl`. */
export function samplesFile(index: number): string {
  return index === 0 ? 'sampler.jsonl' : `sampler-${index + 1}.jsonl`;
}

/** The evidence of an attempt; null when its folder holds none. */
export async function loadEvidence(store: Store, folder: string): Promise<AttemptEvidence | null> {
  const path = `${folder}/${EVIDENCE}`;
  return (await store.has(path)) ? (await loadJson<AttemptEvidence>(store, path)).value : null;
}

/**
 * Reads the raw files of an attempt. A file that is not there counts as empty: what is derived then differs.
 *
 * @param folder `trials/b3/batch=64KiB/a1`.
 * @param loads names of the scenario's loads, in the plan's order.
 * @throws StoreError corrupt when an exit record is no JSON.
 */
export async function loadRaw(
  store: Store,
  folder: string,
  attempt: AttemptEvidence,
  loads: readonly string[],
): Promise<RawAttempt> {
  const files: RawFile[] = [];
  const read = async (name: string): Promise<Buffer> => {
    const path = `${folder}/${name}`;
    if (!(await store.has(path))) return Buffer.alloc(0);
    const content = await store.get(path);
    files.push({ path: name, sha256: sha256(content), bytes: content.length });
    return content;
  };
  const raw: Record<string, RawLoad> = {};
  for (const load of loads) {
    const names = loadFiles(load);
    const [stdout, stderr, end] = [await read(names.stdout), await read(names.stderr), await read(names.end)];
    if (end.length > 0) raw[load] = { ...endOf(store, `${folder}/${names.end}`, end), stdout, stderr };
  }
  const samples: Record<string, Buffer> = {};
  for (const { samples: name } of attempt.machines) if (name !== null) samples[name] = await read(name);
  return { loads: raw, samples, files };
}

function endOf(store: Store, path: string, content: Buffer): LoadEnd {
  try {
    return JSON.parse(content.toString('utf8')) as LoadEnd;
  } catch (error) {
    const fix = 'Run `assay verify` on the folder to see what changed';
    throw new StoreError('corrupt', { path, location: store.location }, 'it is not JSON', fix, {
      cause: error,
    });
  }
}
