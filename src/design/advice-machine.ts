import { replaysOf } from './advice-cache.ts';
import { bytesIn, counted } from './amounts.ts';
import type { Advice, Plan } from './plan.ts';

/** What the machine of a local lab has. */
export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

/**
 * What is worth saying about a plan on one machine. No part of the plan, which is the same everywhere; said beside it.
 */
export function adviceOnMachine(plan: Plan, machine: Machine): readonly Advice[] {
  return [...onProcesses(plan, machine), ...onMemory(plan, machine)];
}

function onProcesses({ scenarios, lab }: Plan, { cores }: Machine): readonly Advice[] {
  const busiest = scenarios.toSorted((a, b) => b.loads.length - a.loads.length)[0];
  if (busiest === undefined || busiest.loads.length <= cores) return [];
  const message = `${busiest.slug} runs ${busiest.loads.length} perf tools beside ${counted(lab.brokers.count, 'broker')} on ${counted(cores, 'core')}: the clients may be what is measured. Lower processes to at most ${cores}.`;
  return [{ code: 'client-bound', message }];
}

/** The page cache of one machine holds all copies. */
function onMemory({ spec }: Plan, { memoryBytes }: Machine): readonly Advice[] {
  return replaysOf(spec).flatMap(({ topic, cache, bytes }): readonly Advice[] => {
    if (bytes === null || cache === 'cold' || bytes >= memoryBytes) return [];
    const message = `Topic "${topic}" holds ${bytesIn(bytes)} in all copies and this machine has ${bytesIn(memoryBytes)} of memory: what is read may never come from disk. Write topics.${topic}.fill.cache: cold, if it should.`;
    return [{ code: 'replay-fits-memory', message }];
  });
}
