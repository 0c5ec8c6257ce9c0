import type { LoadPlan, Plan, ProducerLoad } from '../design/plan.ts';
import { PRODUCER_DEFAULTS } from '../spec/kafka-defaults.ts';
import { KAFKA_PROPERTIES_VERSION } from '../spec/kafka-properties.generated.ts';
import { sizeText } from './plan-scenarios.ts';

/**
 * What decides how each producer batches and compresses, whether it is written or Kafka's default; where scenarios
 * differ every value, in the order of the scenarios. One setting a line. Pure.
 */
export function producerLines(plan: Plan): readonly string[] {
  return Object.keys(plan.spec.producers).flatMap((name) => {
    const loads = plan.scenarios.flatMap((scenario) =>
      scenario.loads.filter((load): load is ProducerLoad => isOf(plan, load, name)),
    );
    // Left out of every scenario.
    if (loads.length === 0) return [];
    const properties = Object.keys(PRODUCER_DEFAULTS) as (keyof typeof PRODUCER_DEFAULTS)[];
    return properties.map((property) => {
      const values = [...new Set(loads.map(({ config }) => valueText(plan, property, config[property])))];
      return `${name}: ${property}=${values.join(' | ')}`;
    });
  });
}

/** `p` is a load of producer p, and so are `p-1` and `p-2` where it has several processes. */
function isOf({ spec }: Plan, load: LoadPlan, producer: string): boolean {
  if (load.kind !== 'producer') return false;
  if (Object.hasOwn(spec.producers, load.name)) return load.name === producer;
  return load.name.startsWith(`${producer}-`) && /^\d+$/.test(load.name.slice(producer.length + 1));
}

/** `16384 (16 KiB, default of Kafka 4.3.1)`. */
function valueText(
  { spec }: Plan,
  property: keyof typeof PRODUCER_DEFAULTS,
  written: string | undefined,
): string {
  const value = written ?? PRODUCER_DEFAULTS[property];
  const unless = spec.lab.clientProperties === undefined ? '' : ', unless lab.clientProperties sets it';
  const remarks = [
    ...sizeText(property, value),
    ...(written === undefined ? [`default of Kafka ${KAFKA_PROPERTIES_VERSION}${unless}`] : []),
  ];
  return remarks.length === 0 ? value : `${value} (${remarks.join(', ')})`;
}
