import type { Bench } from './bench.ts';
import type { TrialInput } from './contract.ts';
import { readStreams } from './load-files.ts';
import { trialCapsule } from '../src/design/names.ts';
import type { LoadPlan } from '../src/design/plan.ts';
import type { RawLoad } from '../src/measure/trial-evidence.ts';
import { loadFiles } from '../src/store/attempt-files.ts';
import { asJson } from '../src/store/experiment-files.ts';

export interface NamedFile {
  readonly name: string;
  readonly content: Buffer;
}

/** What one load left on its host, and the raw files that keep it. */
export interface CollectedLoad {
  readonly name: string;
  readonly raw: RawLoad;
  /** Empty for a load that was never started. */
  readonly files: readonly NamedFile[];
}

export async function collectLoad(bench: Bench, trial: TrialInput, load: LoadPlan): Promise<CollectedLoad> {
  const host = bench.lab.client(load.on);
  const { poll, stdout, stderr } = await readStreams(host, trialCapsule(trial.ref.key, trial, load.name));
  const { state, claim, child, exit } = poll;
  const names = loadFiles(load.name);
  const files = [
    { name: names.stdout, content: stdout },
    { name: names.stderr, content: stderr },
    { name: names.end, content: Buffer.from(asJson({ state, claim, child, exit })) },
  ];
  return { name: load.name, raw: { state, exit, stdout, stderr }, files: state === 'absent' ? [] : files };
}
