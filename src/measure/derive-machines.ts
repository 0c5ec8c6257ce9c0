import type { Plan, Scenario } from '../design/plan.ts';
import { hostSummary, type Roles, throttledShare, type WallWindow } from './host-summary.ts';
import { readSamples, type Samples } from './sample.ts';
import { BROKER_PREFIX, LOAD_PREFIX } from './sampled-processes.ts';
import type { HostSummary } from './trial-record.ts';

/** What one sampler's samples say about the window of an attempt: those of a machine, or of a pod and its node. */
export interface DerivedMachine {
  readonly name: string;
  /** null = there are no samples. */
  readonly summary: HostSummary | null;
  readonly throttledShare: number | null;
}

/** A sampler's output; undefined = it left no readable sample. */
export interface SampledMachine {
  readonly name: string;
  readonly samples: Uint8Array | undefined;
}

/**
 * What every sampler of an attempt says about its window. A sampler knows the processes that it watches: of several
 * samplers none is asked for those of another. Where several watch one machine (pods of one node), each sees the others' work
 * as a stranger's, so what is outside the lab is not known there.
 */
export function deriveMachines(
  plan: Plan,
  scenario: Scenario,
  window: WallWindow,
  machines: readonly SampledMachine[],
): readonly DerivedMachine[] {
  const lab: Roles = {
    brokers: Array.from({ length: plan.lab.brokers.count }, (_, i) => `${BROKER_PREFIX}b${i + 1}`),
    clients: scenario.loads.map((load) => `${LOAD_PREFIX}${load.name}`),
  };
  const read = machines.map(({ name, samples }) => ({ name, samples: samples && textOf(samples) }));
  return read.map(({ name, samples }) => {
    if (samples === undefined) return { name, summary: null, throttledShare: null };
    const roles = machines.length === 1 ? lab : watchedBy(samples, lab);
    const summary = plainNames(hostSummary(samples, window, roles));
    const shared = read.some((other) => other.name !== name && onOneMachine(other.samples, samples));
    return {
      name,
      summary: shared ? { ...summary, outsideLabShare: null } : summary,
      throttledShare: throttledShare(samples, window),
    };
  });
}

function textOf(samples: Uint8Array): Samples {
  return readSamples(new TextDecoder('utf-8', { ignoreBOM: true }).decode(samples));
}

function watchedBy({ samples }: Samples, { brokers, clients }: Roles): Roles {
  const watched = new Set(samples.flatMap(({ processes }) => Object.keys(processes)));
  const here = (names: readonly string[]): readonly string[] => names.filter((name) => watched.has(name));
  return { brokers: here(brokers), clients: here(clients) };
}

function onOneMachine(one: Samples | undefined, other: Samples): boolean {
  const boot = other.header?.boot;
  return boot !== undefined && one?.header?.boot === boot;
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
