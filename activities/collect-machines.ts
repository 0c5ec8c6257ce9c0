import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import type { NamedFile } from './collect-load.ts';
import type { TrialInput } from './contract.ts';
import { readStreams } from './load-files.ts';
import { reach } from './reach.ts';
import { samplerName } from './samplers.ts';
import { readSamples } from '../src/measure/sample.ts';
import { samplesFile } from '../src/store/attempt-files.ts';

/** One machine's samples of an attempt; null = none could be read. */
export interface CollectedMachine {
  readonly name: string;
  readonly file: NamedFile | null;
}

/** Ends the samplers and reads them whole. */
export async function collectMachines(
  bench: Bench,
  trial: TrialInput,
  beat: Beat,
): Promise<CollectedMachine[]> {
  const hosts = bench.lab.samplerHosts();
  return Promise.all(
    hosts.map(async ({ who, host }, index) => {
      const capsule = samplerName(trial, index);
      const streams = await reach(bench, who, beat, async () => {
        await host.kill(capsule);
        return readStreams(host, capsule);
      });
      const stdout = streams?.stdout ?? Buffer.alloc(0);
      const known = readSamples(stdout.toString('utf8')).samples.length > 0;
      return {
        name: hosts.length === 1 ? 'this machine' : host.name,
        file: known ? { name: samplesFile(index), content: stdout } : null,
      };
    }),
  );
}
