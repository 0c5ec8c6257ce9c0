import { STOPPING_WIDENING } from '../design/precision.ts';
import type { Plan } from '../design/plan.ts';
import { percentText } from './format.ts';
import { isLatency, metricNoun } from './metrics.ts';
import { FEWEST_LABS } from './replicates.ts';

/** What the way of measuring and estimating takes from the answer. */
export function methodLimits(plan: Plan, stoppedByRule: boolean): readonly string[] {
  return [
    ...stoppingLimits(plan, stoppedByRule),
    ...plotLimits(plan),
    ...latencyLimits(plan),
    ...(plan.search
      ? [
          `The rate was searched on a grid of ${percentText(plan.search.resolution)} steps, in trials of minutes: a rate that holds for a minute need not hold for a day.`,
        ]
      : []),
    ...(plan.deplete
      ? ['Burst credits were used up before block 1: a machine with credits left may be faster for a while.']
      : []),
  ];
}

function stoppingLimits({ until }: Plan, stoppedByRule: boolean): readonly string[] {
  if (!until) return [];
  const how = stoppedByRule
    ? 'The experiment stopped by its rule'
    : 'The experiment could have stopped by its rule';
  return [
    `${how} (every interval within ± ${percentText(until.halfWidth)}, looked at after each block from the ${until.minBlocks}th on): intervals are ` +
      `${percentText(STOPPING_WIDENING - 1)} wider to make up for the looks.`,
  ];
}

function plotLimits({ plots }: Plan): readonly string[] {
  const all = Object.values(plots ?? {});
  if (all.length < 2) return [];
  return [
    all.some((p) => p.apply === 'restart')
      ? 'Broker settings were applied by a restart in every block, and the brokers warmed up anew: brokers that have run for days may differ.'
      : 'Broker settings were altered in running brokers in every block; what only a start sets up is not part of it.',
  ];
}

function latencyLimits({ metric }: Plan): readonly string[] {
  if (!isLatency(metric)) return [];
  return [
    `${metricNoun(metric)} is of whole loads, warm-up included, as the producer's tool counts it: in whole milliseconds, from at most 500,000 records of a load.`,
    'Latency was seen at the asked rate only; at another rate the order may be another.',
  ];
}

/** What the number of labs takes from the answer. */
export function replicateLimit(labs: number, target: Plan['lab']['target']): string {
  if (target === 'existing')
    return 'One cluster, as it was in these hours, is one replicate: another cluster, other neighbours in it or another day may give another ratio, and the interval does not cover that.';
  if (labs >= FEWEST_LABS)
    return target === 'local'
      ? `${labs} labs, provisioned one after the other on one machine, are the repeats: starts of the JVMs and placement vary between them, machine and disk do not.`
      : `${labs} labs, provisioned one after the other in one cluster, are the repeats: starts of the JVMs, volumes and placement vary between them, the kind of node and of volume does not.`;
  const again =
    target === 'local'
      ? 'another machine, disk or start of the JVMs may give another ratio, and the interval does not cover that.'
      : 'other nodes, volumes or starts of the JVMs may give another ratio, and the interval does not cover that.';
  return labs > 1
    ? `${labs} labs are too few to be the repeats (${FEWEST_LABS} are needed), so blocks are; labs do not vary enough to speak of others: ${again}`
    : `One lab, provisioned once, is one replicate: ${again}`;
}
