import type { Bench } from './bench.ts';
import type { NamedFile } from './collect-load.ts';
import type { TrialInput } from './contract.ts';
import { readStreams } from './load-files.ts';
import { samplerName } from './samplers.ts';
import { readSamples } from '../src/measure/sample.ts';
import { samplesFile } from '../src/store/attempt-files.ts';

/** One machine's samples of an attempt; null = none could be read. */
export interface CollectedMachine {
  readonly name: string;
  readonly file: NamedFile | null;
}

/** Ends the samplers and reads them whole. */
export async function collectMachines(bench: Bench, trial: TrialInput): Promise<CollectedMachine[]> {
  const targets = await bench.lab.samplerTargets();
  return Promise.all(
    targets.map(async ({ host }, index) => {
      const capsule = samplerName(trial, index);
      await host.kill(capsule);
      const { stdout } = await readStreams(host, capsule);
      const known = readSamples(stdout.toString('utf8')).samples.length > 0;
      return {
        name: targets.length === 1 ? 'this machine' : host.name,
        file: known ? { name: samplesFile(index), content: stdout } : null,
      };
    }),
  );
}
