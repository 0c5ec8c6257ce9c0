import { replaysOf } from './advice-cache.ts';
import { bytesIn, counted } from './amounts.ts';
import type { Spec } from '../spec/schema.ts';
import type { Advice, Plan, Scenario } from './plan.ts';

/** What the machine of a local lab has. */
export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
  /** Where labs lie. */
  readonly freeDiskBytes: number;
}

/**
 * What is worth saying about a plan on one machine. No part of the plan, which is the same everywhere; said beside it.
 */
export function adviceOnMachine(plan: Plan, machine: Machine): readonly Advice[] {
  // Of somebody's cluster neither memory nor disk is here.
  if (plan.lab.existing !== undefined) return onProcesses(plan, machine);
  return [...onProcesses(plan, machine), ...onMemory(plan, machine), ...onDisk(plan, machine)];
}

function onProcesses({ scenarios, lab, spec }: Plan, { cores }: Machine): readonly Advice[] {
  const busiest = scenarios.toSorted((a, b) => b.loads.length - a.loads.length)[0];
  if (busiest === undefined || busiest.loads.length <= cores) return [];
  const message = `${busiest.slug} runs ${busiest.loads.length} perf tools ${lab.existing === undefined ? `beside ${counted(lab.brokers.count, 'broker')} ` : ''}on ${counted(cores, 'core')}: the clients may be what is measured. ${fewer(busiest, spec)}.`;
  return [{ code: 'client-bound', message }];
}

/** The keys that make one load many. */
function fewer({ loads }: Scenario, spec: Spec): string {
  const of = (name: string): number =>
    loads.filter((load) => load.name === name || load.name.startsWith(`${name}-`)).length;
  const keys = [
    ...Object.keys(spec.producers).map((name) => [name, `producers.${name}.processes`] as const),
    ...Object.keys(spec.consumers).map((name) => [name, `consumers.${name}.groups or processes`] as const),
  ].flatMap(([name, key]) => (of(name) > 1 ? [key] : []));
  return keys.length === 0 ? 'Let fewer loads run side by side' : `Lower ${keys.join(', ')}`;
}

function onDisk({ estimates: { peakDiskBytes } }: Plan, { freeDiskBytes }: Machine): readonly Advice[] {
  if (peakDiskBytes <= freeDiskBytes) return [];
  const message = `Up to ${bytesIn(peakDiskBytes)} lie on disk at one time, and ${bytesIn(freeDiskBytes)} are free: a run would be refused. Free some space, set ASSAY_HOME to a larger disk, or write a smaller design.budget.written, fewer records or a shorter time.`;
  return [{ code: 'disk-too-small', message }];
}

/** The page cache of one machine holds all copies. */
function onMemory({ spec }: Plan, { memoryBytes }: Machine): readonly Advice[] {
  return replaysOf(spec).flatMap(({ topic, cache, bytes }): readonly Advice[] => {
    if (bytes === null || cache === 'cold' || bytes >= memoryBytes) return [];
    const message = `Topic "${topic}" holds ${bytesIn(bytes)} in all copies and this machine has ${bytesIn(memoryBytes)} of memory: what is read may never come from disk. Write topics.${topic}.fill.cache: cold, if it should.`;
    return [{ code: 'replay-fits-memory', message }];
  });
}
