import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import type { TrialInput } from './contract.ts';
import { readStreams } from './load-files.ts';
import { reach } from './reach.ts';
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
  /** Empty for a load that was never started, or went with its host. */
  readonly files: readonly NamedFile[];
  /** Its host is gone, with whatever it left there. */
  readonly hostGone: boolean;
}

const NOTHING: RawLoad = { state: 'absent', exit: null, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };

export async function collectLoad(
  bench: Bench,
  trial: TrialInput,
  load: LoadPlan,
  beat: Beat,
): Promise<CollectedLoad> {
  const host = bench.lab.client(load.on);
  const streams = await reach(bench, `client ${load.on}`, beat, () =>
    readStreams(host, trialCapsule(trial.ref.key, trial, load.name)),
  );
  if (streams === null) return { name: load.name, raw: NOTHING, files: [], hostGone: true };
  const { poll, stdout, stderr } = streams;
  const { state, claim, child, exit } = poll;
  const names = loadFiles(load.name);
  const files = [
    { name: names.stdout, content: stdout },
    { name: names.stderr, content: stderr },
    { name: names.end, content: Buffer.from(asJson({ state, claim, child, exit })) },
  ];
  return {
    name: load.name,
    raw: { state, exit, stdout, stderr },
    files: state === 'absent' ? [] : files,
    hostGone: false,
  };
}
