import type { LoadPlan, Plan, ProducerLoad, Scenario, SearchPlan, TopicPlan } from '../design/plan.ts';
import { bytesText, durationText, rateText } from './words.ts';

/** Every scenario with its topics and loads, one fact a line. Pure. */
export function scenarioLines(plan: Plan): readonly string[] {
  const plots = Object.keys(plan.plots).length > 1;
  return plan.scenarios.flatMap((scenario) => [
    `${scenario.slug}${plots ? `, brokers ${scenario.plot}` : ''}${gridText(scenario)}`,
    ...scenario.topics.flatMap((topic) => topicLines(topic)).map((line) => `  ${line}`),
    ...scenario.loads.flatMap((load) => loadLines(load, plan.search)).map((line) => `  ${line}`),
  ]);
}

function gridText({ grid }: Scenario): string {
  return grid === undefined ? '' : `: the rate found for ${grid.of} × ${Number(grid.factor.toFixed(4))}`;
}

function topicLines({ name, partitions, replication, config, fill }: TopicPlan): readonly string[] {
  const copies = replication === 1 ? '1 copy' : `${replication} copies`;
  const filled = {
    attempt: 'anew for each attempt',
    experiment: 'once, kept for the whole experiment',
  };
  const cache = {
    asis: 'as the page cache has it',
    hot: 'read once before (hot)',
    cold: 'dropped from memory before (cold)',
  };
  return [
    `topic ${name}: ${partitions} ${partitions === 1 ? 'partition' : 'partitions'}, ${copies}`,
    ...listOf(`topic ${name}`, config),
    ...(fill === null
      ? []
      : [
          `topic ${name}: filled with ${counted(fill.records)} records ${fill.payload} ${filled[fill.each]}, ${cache[fill.cache]}`,
        ]),
  ];
}

function loadLines(load: LoadPlan, search: SearchPlan | null): readonly string[] {
  return [`${load.name} on ${load.on}: ${doesText(load, search)}`, ...listOf(load.name, load.config)];
}

function doesText(load: LoadPlan, search: SearchPlan | null): string {
  if (load.kind === 'consumer') {
    const members = load.members > 1 ? ` as one of ${load.members} in group ${load.group}` : '';
    return `reads ${load.topic} from its ${load.from === 'earliest' ? 'start' : 'end'}${members}, ${amountText(load)}, gives up after ${durationText(load.idleMs)} without a record`;
  }
  if (search?.loads.includes(load.name) && load.count.kind === 'duration')
    return `writes ${load.payload} to ${load.topic}, for ${durationText(load.count.durationMs)} at the rate searched${transactionText(load)}`;
  const rate = load.recordsPerS === null ? 'as fast as it can' : `at ${rateText(load.recordsPerS)}`;
  return `writes ${load.payload} to ${load.topic}, ${amountText(load)} ${rate}${transactionText(load)}`;
}

function transactionText({ transactionMs }: ProducerLoad): string {
  return transactionMs === null ? '' : `, in transactions of ${durationText(transactionMs)}`;
}

function amountText({ count }: LoadPlan): string {
  if (count.kind === 'records') return `${counted(count.records)} records`;
  if (count.kind === 'duration') return `for ${durationText(count.durationMs)} (counted from block 0)`;
  return count.share === 1
    ? 'everything in it'
    : `${Number((count.share * 100).toPrecision(3))} % of everything in it`;
}

/** Properties of something, one a line: `p: batch.size=65536 (64 KiB)`. */
function listOf(name: string, config: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(config).map(([property, value]) =>
    [`${name}: ${property}=${value}`, ...sizeText(property, value).map((size) => `(${size})`)].join(' '),
  );
}

/** `64 KiB` for `batch.size` 65536; nothing for what is no size, or small. */
export function sizeText(property: string, value: string): readonly string[] {
  const bytes = Number(value);
  if (!/\.(bytes|size|memory)$/.test(property) || !Number.isSafeInteger(bytes) || bytes < 1024) return [];
  return [bytesText(bytes)];
}

function counted(n: number): string {
  return Math.round(n).toLocaleString('en-US');
}
