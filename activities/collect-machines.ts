import type { Bench } from './bench.ts';
import type { TrialInput } from './contract.ts';
import { readStreams } from './load-files.ts';
import { BROKER_PREFIX, LOAD_PREFIX, samplerName } from './samplers.ts';
import type { Scenario } from '../src/design/plan.ts';
import { hostSummary, throttledShare, type WallWindow } from '../src/measure/host-summary.ts';
import { readSamples } from '../src/measure/sample.ts';
import type { HostSummary } from '../src/measure/trial-record.ts';

/** One machine's samples of an attempt, and what they say about the window. */
export interface CollectedMachine {
  readonly name: string;
  readonly summary: HostSummary | null;
  readonly throttledShare: number | null;
  readonly files: readonly { readonly name: string; readonly content: Buffer }[];
}

/** Ends the samplers and reads them whole. The first machine's file is `sampler.jsonl`. */
export async function collectMachines(
  bench: Bench,
  trial: TrialInput,
  scenario: Scenario,
  window: WallWindow,
): Promise<CollectedMachine[]> {
  const targets = await bench.lab.samplerTargets();
  const brokers = Array.from({ length: bench.plan.lab.brokers.count }, (_, i) => `${BROKER_PREFIX}b${i + 1}`);
  const clients = scenario.loads.map((load) => `${LOAD_PREFIX}${load.name}`);
  return Promise.all(
    targets.map(async ({ host }, index) => {
      const capsule = samplerName(trial, index);
      await host.kill(capsule);
      const { stdout } = await readStreams(host, capsule);
      const samples = readSamples(stdout.toString('utf8'));
      const known = samples.samples.length > 0;
      return {
        name: targets.length === 1 ? 'this machine' : host.name,
        summary: known ? plainNames(hostSummary(samples, window, { brokers, clients })) : null,
        throttledShare: known ? throttledShare(samples, window) : null,
        files: known
          ? [{ name: index === 0 ? 'sampler.jsonl' : `sampler-${index + 1}.jsonl`, content: stdout }]
          : [],
      };
    }),
  );
}

/** Processes by the names that the spec and the lab give them. */
function plainNames(summary: HostSummary): HostSummary {
  const plain = (cores: HostSummary['brokerCores'], prefix: string): Record<string, number | null> =>
    Object.fromEntries(Object.entries(cores).map(([name, value]) => [name.slice(prefix.length), value]));
  return {
    ...summary,
    brokerCores: plain(summary.brokerCores, BROKER_PREFIX),
    clientCores: plain(summary.clientCores, LOAD_PREFIX),
  };
}
