import { KAFKA_PROPERTIES_VERSION } from '../spec/kafka-properties.generated.ts';
import { clientNames } from '../spec/check-loads.ts';
import type { Spec } from '../spec/schema.ts';
import { fewestBlocks } from './order.ts';
import type { Advice, Contrast, Estimates } from './plan.ts';
import type { ResolvedScenario } from './scenarios.ts';

/** What a valid spec should still be told: each remark fits the spec at hand and says what to do. */
export function adviceOn(
  spec: Spec,
  scenarios: readonly ResolvedScenario[],
  contrasts: readonly Contrast[],
  blocks: number,
): readonly Advice[] {
  return [
    ...unused(spec, scenarios),
    ...onContrasts(contrasts, blocks, scenarios.length),
    ...onLoads(spec, scenarios),
    ...onPayload(spec, scenarios),
    ...onBrokers(spec),
  ];
}

/** An experiment that cannot end before its deadline ends with what it has. */
export function onDeadline(spec: Spec, estimates: Estimates): readonly Advice[] {
  const { deadline } = spec.design;
  if (estimates.durationMs.low <= deadline) return [];
  const hours = (ms: number): string => `${(ms / 3_600_000).toPrecision(3)} h`;
  const message = `Even the shortest estimate, ${hours(estimates.durationMs.low)}, exceeds design.deadline, ${hours(deadline)}: the experiment would end with what it has by then. Shorten the loads, run fewer blocks, or raise the deadline.`;
  return [{ code: 'deadline-too-short', message }];
}

function unused(spec: Spec, scenarios: readonly ResolvedScenario[]): readonly Advice[] {
  const loads = scenarios.flatMap((s) => s.scenario.loads);
  const hosts = clientNames(spec).filter((host) => !loads.some((load) => load.on === host));
  const topics = Object.keys(spec.topics).filter((topic) => !loads.some((load) => load.topic === topic));
  const factors = Object.keys(spec.factors).filter(
    (name) => new Set(scenarios.map((s) => s.scenario.levels[name])).size === 1,
  );
  return [
    ...hosts.map((host) => ({
      code: 'unused-host',
      message: `Client host ${host} runs no load; lower lab.clients.count, or raise processes.`,
    })),
    ...topics.map((topic) => ({
      code: 'unused-topic',
      message: `No load of any scenario uses topic "${topic}".`,
    })),
    ...factors.map((name) => ({
      code: 'unused-factor',
      message: `Factor "${name}" has the same level in every scenario; add it to scenarios, or leave it out.`,
    })),
  ];
}

function onContrasts(contrasts: readonly Contrast[], blocks: number, scenarios: number): readonly Advice[] {
  const advice: Advice[] = [];
  if (scenarios < 2)
    advice.push({
      code: 'nothing-to-compare',
      message: 'There is one scenario only: rates will be shown, and nothing is compared.',
    });
  const fewest = fewestBlocks(contrasts.length);
  if (contrasts.length > 0 && blocks < fewest) {
    advice.push({
      code: 'cannot-reach-alpha',
      message: `With ${blocks === 1 ? '1 block' : `${blocks} blocks`} the exact test of ${contrasts.length} contrast${contrasts.length === 1 ? '' : 's'} cannot reach 5 %; no verdict "higher" or "lower" is possible. Run at least ${fewest}.`,
    });
  }
  for (const contrast of contrasts.filter((c) => c.confounded)) {
    const paths = Object.entries(contrast.changes).map(([path, [from, to]]) => `${path} ${from} → ${to}`);
    advice.push({
      code: 'confounded',
      message: `${contrast.name} changes ${paths.length} settings (${paths.join('; ')}): a difference cannot be put down to one of them.`,
    });
  }
  return advice;
}

function onLoads(spec: Spec, scenarios: readonly ResolvedScenario[]): readonly Advice[] {
  const advice: Advice[] = [];
  const timed = scenarios.some((s) => s.scenario.loads.some((load) => load.count.kind === 'duration'));
  if (timed)
    advice.push({
      code: 'implied-count',
      message:
        'Loads for a time get their count from block 0, for each scenario by itself and the same in every block: scenarios differ in count, not in duration.',
    });
  if (timed && spec.design.budget.written === undefined)
    advice.push({
      code: 'no-written-budget',
      message: 'Nothing bounds the bytes that unlimited loads write; set design.budget.written, e.g. 60GiB.',
    });
  if (spec.window.over === 'own' && scenarios.some((s) => s.scenario.loads.length > 1)) {
    advice.push({
      code: 'side-by-side',
      message:
        'Several loads run side by side, each with a window of its own; set window.over: overlap to measure them over the same time.',
    });
  }
  return advice;
}

function onPayload(spec: Spec, scenarios: readonly ResolvedScenario[]): readonly Advice[] {
  const producers = scenarios.flatMap((s) => s.scenario.loads.filter((load) => load.kind === 'producer'));
  const codecs = new Set(producers.map((load) => load.config['compression.type'] ?? 'none'));
  if (codecs.size < 2 || spec.payload.json === undefined) return [];
  const advice: Advice[] = [];
  const { padding, lines, size } = spec.payload.json;
  if (padding > 0)
    advice.push({
      code: 'padded-codec',
      message: `${Math.round(padding * 100)} % of each record is the letter x: a question about codecs becomes one about x. Set payload.json.padding: 0%.`,
    });
  const batch = Math.max(...producers.map((load) => Number(load.config['batch.size'] ?? 16_384)));
  // Share of records in a batch that repeat one of it, when lines are drawn from so many (facts: statistics).
  const repeated = batch / size / (2 * lines);
  if (repeated > 0.01)
    advice.push({
      code: 'repeated-lines',
      message: `About ${Math.round(repeated * 100)} % of the records of a batch repeat each other, which flatters codecs; raise payload.json.lines.`,
    });
  return advice;
}

function onBrokers(spec: Spec): readonly Advice[] {
  const advice: Advice[] = [];
  const { kafka, jit, config } = spec.lab.brokers;
  if (kafka !== KAFKA_PROPERTIES_VERSION)
    advice.push({
      code: 'other-kafka',
      message: `Property names are checked against Kafka ${KAFKA_PROPERTIES_VERSION}, not ${kafka}.`,
    });
  if (jit === 'c1')
    advice.push({
      code: 'c1-only',
      message: 'The brokers run with the C1 compiler only: rates are not those of a real broker.',
    });
  const flushes = [
    config['log.flush.interval.messages'],
    ...Object.values(spec.topics).map((t) => t.config['flush.messages']),
  ];
  if (flushes.includes('1'))
    advice.push({
      code: 'flush-each',
      message:
        'A flush for each message is not how Kafka is durable (replication is); it is measured as asked.',
    });
  return advice;
}
