import type { ExistingPlan } from '../design/existing-plan.ts';
import type { PayloadPlan, Plan, PlotPlan } from '../design/plan.ts';
import { kubernetesLines } from './plan-kubernetes.ts';
import { bytesText, durationText } from './words.ts';

/** What holds for every scenario of a plan, one fact a line. Pure. */
export function settingLines(plan: Plan): readonly string[] {
  return [
    ...labLines(plan),
    ...plan.payloads.map((payload) => `records ${payload.name}: ${payloadText(payload)}`),
    ...Object.entries(plan.plots).flatMap(([name, plot]) =>
      Object.keys(plan.plots).length > 1 ? [`brokers ${name}: ${plotText(plot)}`] : [],
    ),
    ...benchLines(plan),
  ];
}

function labLines({ lab, labs }: Plan): readonly string[] {
  const { brokers, clients, pin, kubernetes } = lab;
  if (lab.existing !== undefined) return existingLines(lab, lab.existing);
  const names = clients.names.join(', ');
  const cores = { true: 'from two cores on', false: 'no', auto: 'from four cores on' };
  return [
    `lab: ${lab.target}${labs > 1 ? `, provisioned ${labs} times` : ''}`,
    `brokers: ${brokers.count}, Kafka ${brokers.kafka}, heap ${bytesText(brokers.heapBytes)}${brokers.jit === 'c1' ? ', C1 compiler only' : ''}`,
    ...Object.entries(brokers.config).map(([name, value]) => `brokers: ${name}=${value}`),
    `clients: ${names}, heap ${bytesText(clients.heapBytes)}`,
    ...(kubernetes === undefined
      ? [`brokers and clients on different cores: ${cores[String(pin) as keyof typeof cores]}`]
      : kubernetesLines(kubernetes)),
  ];
}

function existingLines(
  { brokers, clients }: Plan['lab'],
  { bootstrapServers, clientProperties }: ExistingPlan,
): readonly string[] {
  return [
    `lab: existing, the Kafka cluster at ${bootstrapServers}`,
    `connected: ${clientProperties === null ? 'PLAINTEXT, without authentication' : `as ${clientProperties} says`}`,
    'brokers: not ours, not sampled; topics and groups of the experiment are created and deleted, nothing else',
    `tools: Kafka ${brokers.kafka}`,
    `clients: ${clients.names.join(', ')} on the machine of the worker, heap ${bytesText(clients.heapBytes)}`,
    'settle, drain: the machine of the clients is watched; whether the brokers are quiet is not seen',
  ];
}

function benchLines({
  lab,
  settle,
  window,
  retries,
  deadlineMs,
  keepMs,
  store,
  spec,
}: Plan): readonly string[] {
  const dirty = bytesText(settle.dirtyBytes);
  return [
    `settle: ${settle.method}, quiet for ${durationText(settle.quietMs)}, at most ${durationText(settle.limitMs)}`,
    `settle: quiet is Dirty + Writeback below the base + ${dirty}${lab.existing === undefined ? `, and device writes below ${bytesText(settle.deviceWriteBytesPerS)}/s` : ''}`,
    `drain: watched for at most ${durationText(settle.drainMs)}`,
    `window: ${window.rampMs === null ? 'ramp from block 0' : `ramp ${durationText(window.rampMs)}`}, at least ${durationText(window.minMs)} long, over ${window.over === 'own' ? "each load's own time" : 'the time that loads share'}`,
    `retries: ${retries} new attempts at a void trial`,
    `deadline: ${durationText(deadlineMs)}`,
    `afterwards: ${keepMs === null ? 'the lab is taken down' : `the lab is kept for ${durationText(keepMs)}, then taken down`}`,
    ...[spec.store.s3 ?? store.folder].flatMap((place) => (place === null ? [] : [`results: ${place}`])),
  ];
}

function payloadText(payload: PayloadPlan): string {
  const lines = `${payload.lines.toLocaleString('en-US')} lines`;
  const size = `${Number(payload.recordBytes.toFixed(1))} B`;
  const order = 'variant' in payload && payload.variant ? `, in another order (${payload.variant})` : '';
  if (payload.kind === 'file')
    return `${payload.file}, ${lines} of ${size} on average, sha256 ${payload.sha256}`;
  if (payload.kind === 'random')
    return `random characters, ${lines} of ${size}, seed ${payload.seed}${order}`;
  const padding =
    payload.padding > 0 ? `, ${Number((payload.padding * 100).toPrecision(3))} % of it padding` : '';
  return `log lines as JSON, ${lines} of ${size}${padding}, seed ${payload.seed}${order}`;
}

function plotText({ config, heapBytes, jit, apply }: PlotPlan): string {
  const settings = Object.entries(config).map(([name, value]) =>
    value === null ? `${name} as Kafka has it` : `${name}=${value}`,
  );
  const said = [...settings, `heap ${bytesText(heapBytes)}`, ...(jit === 'c1' ? ['C1 only'] : [])].join(', ');
  return `${said}; applied anew in every block, ${apply === 'restart' ? 'by a restart' : 'in running brokers'}`;
}
