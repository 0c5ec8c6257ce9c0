import { PRODUCER_DEFAULTS } from '../spec/kafka-defaults.ts';
import { recordBytesOf } from '../spec/payload-size.ts';
import type { PayloadSpec } from '../spec/schema.ts';
import { type AdviceInput, producersOf, type RunningProducer, varies } from './advice-input.ts';
import { bytesIn, shareIn } from './amounts.ts';
import type { Advice } from './plan.ts';

/** A batch in which more than this share of records repeat each other flatters codecs (facts: statistics). */
const MOST_REPEATED = 0.01;

/** Whether the records can answer a question about codecs, where one is asked. */
export function onPayload(input: AdviceInput): readonly Advice[] {
  const producers = producersOf(input);
  if (!varies(producers.map(({ load }) => load.config['compression.type'] ?? 'none'))) return [];
  const kinds = [...new Map(producers.map((p) => [JSON.stringify(p.settings.payload), p])).values()];
  return kinds.flatMap((producer) => [
    ...onPadding(producer.settings.payload),
    ...onRandom(producer.settings.payload),
    ...onRepeats(producer, producers),
  ]);
}

function onPadding({ json }: PayloadSpec): readonly Advice[] {
  if (json === undefined || json.padding === 0) return [];
  const message = `${shareIn(json.padding)} of each record is the letter x: a question about codecs becomes one about x. Write payload.json.padding: 0%.`;
  return [{ code: 'padded-codec', message }];
}

function onRandom({ random }: PayloadSpec): readonly Advice[] {
  if (random === undefined) return [];
  const message = `Random records hold next to nothing that a codec finds: the question becomes what compressing in vain costs. Write payload: { json: { size: ${random.size}B } }, or payload: { file: … } with records of your own.`;
  return [{ code: 'random-codec', message }];
}

/** Share of the records of a batch that repeat one of it, when lines are drawn from so many. */
function onRepeats(
  { settings: { payload } }: RunningProducer,
  producers: readonly RunningProducer[],
): readonly Advice[] {
  const bytes = recordBytesOf(payload);
  const lines =
    payload.json?.lines ??
    payload.random?.lines ??
    (typeof payload.file === 'object' ? payload.file.lines : null);
  if (bytes === null || lines === null || bytes <= 0) return [];
  const batch = Math.max(
    ...producers.map(({ load }) => Number(load.config['batch.size'] ?? PRODUCER_DEFAULTS['batch.size'])),
  );
  const repeated = batch / bytes / (2 * lines);
  if (repeated <= MOST_REPEATED) return [];
  const enough = Math.ceil(batch / bytes / (2 * MOST_REPEATED) / 1000) * 1000;
  const fix =
    payload.file === undefined
      ? `Write payload.${payload.json === undefined ? 'random' : 'json'}.lines: ${enough}.`
      : `Take a file with at least ${enough} lines.`;
  const message = `About ${shareIn(Math.min(1, repeated))} of the records of a batch of ${bytesIn(batch)} repeat each other, because the payload has ${lines} different lines: that flatters codecs. ${fix}`;
  return [{ code: 'repeated-lines', message }];
}
