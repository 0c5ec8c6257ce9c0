import { KAFKA_PROPERTIES_VERSION } from '../spec/kafka-properties.generated.ts';
import type { AdviceInput } from './advice-input.ts';
import { variesBrokers } from './plots.ts';
import type { Advice } from './plan.ts';

/** Fewer replicates (labs, whole plots) than this cannot be tested (facts: statistics). */
const FEWEST_REPLICATES = 6;

/** The lab itself: what is unlike production, and what is done once only. */
export function onBrokers(input: AdviceInput): readonly Advice[] {
  return [...onVersion(input), ...onCompression(input), ...onReplicates(input), ...onMoney(input)];
}

function onVersion({ spec }: AdviceInput): readonly Advice[] {
  const { kafka, jit } = spec.lab.brokers;
  return [
    ...(kafka === KAFKA_PROPERTIES_VERSION
      ? []
      : [
          {
            code: 'other-kafka',
            message: `Property names and defaults are those of Kafka ${KAFKA_PROPERTIES_VERSION}; this spec runs ${kafka}, which may not know them all.`,
          },
        ]),
    ...(jit === 'c1'
      ? [
          {
            code: 'c1-only',
            message:
              'The brokers run with the C1 compiler only: rates are not those of a real broker. Leave lab.brokers.jit out, unless this is a trial run.',
          },
        ]
      : []),
  ];
}

/** A codec of the topic or broker is applied by the brokers, to whatever the producers send. */
function onCompression({ scenarios }: AdviceInput): readonly Advice[] {
  const places = scenarios.flatMap(({ settings }) => [
    ...Object.entries(settings.topics).flatMap(([name, { config }]) =>
      broker(config['compression.type'], `topics.${name}.config.compression.type`),
    ),
    ...broker(settings.lab.brokers.config['compression.type'], 'lab.brokers.config.compression.type'),
  ]);
  const [place] = places;
  if (place === undefined) return [];
  const message = `${place} makes the brokers compress again whatever producers send in another form, on their own CPU. To ask about a codec of producers write producers.*.config.compression.type, and leave this out.`;
  return [{ code: 'broker-compression', message }];
}

function broker(codec: string | undefined, path: string): readonly string[] {
  return codec === undefined || codec === 'producer' ? [] : [`${path}: ${codec}`];
}

function onReplicates({ spec, blocks }: AdviceInput): readonly Advice[] {
  const { labs } = spec.design;
  const few: Advice[] = [];
  if (labs > 1 && labs < FEWEST_REPLICATES)
    few.push({
      code: 'few-labs',
      message: `${labs} labs show how much one lab differs from another, but are too few to test with; differences are analysed over blocks. Write design.labs: ${FEWEST_REPLICATES} to have every lab count as one.`,
    });
  if (variesBrokers(spec) && blocks < FEWEST_REPLICATES)
    few.push({
      code: 'few-plots',
      message: `A broker setting is applied once a block, and ${blocks} times is too few to test it. Write design.blocks: ${FEWEST_REPLICATES}.`,
    });
  return few;
}

function onMoney({ spec }: AdviceInput): readonly Advice[] {
  const { usd } = spec.design.budget;
  if (usd === undefined || spec.lab.target !== 'local') return [];
  const message = `design.budget.usd is ${usd}, and a local lab costs nothing; what it uses is bounded by design.budget.written and design.deadline.`;
  return [{ code: 'local-costs-nothing', message }];
}
