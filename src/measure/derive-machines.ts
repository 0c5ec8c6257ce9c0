import type { Plan, Scenario } from '../design/plan.ts';
import { hostSummary, throttledShare, type WallWindow } from './host-summary.ts';
import { readSamples } from './sample.ts';
import { BROKER_PREFIX, LOAD_PREFIX } from './sampled-processes.ts';
import type { HostSummary } from './trial-record.ts';

/** What one machine's samples say about the window of an attempt. */
export interface DerivedMachine {
  readonly name: string;
  /** null = there are no samples. */
  readonly summary: HostSummary | null;
  readonly throttledShare: number | null;
}

/** @param samples the sampler's output; undefined = it left no readable sample. */
export function deriveMachine(
  plan: Plan,
  scenario: Scenario,
  window: WallWindow,
  name: string,
  samples: Uint8Array | undefined,
): DerivedMachine {
  if (samples === undefined) return { name, summary: null, throttledShare: null };
  const read = readSamples(new TextDecoder('utf-8', { ignoreBOM: true }).decode(samples));
  const brokers = Array.from({ length: plan.lab.brokers.count }, (_, i) => `${BROKER_PREFIX}b${i + 1}`);
  const clients = scenario.loads.map((load) => `${LOAD_PREFIX}${load.name}`);
  return {
    name,
    summary: plainNames(hostSummary(read, window, { brokers, clients })),
    throttledShare: throttledShare(read, window),
  };
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
