import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { ConsumerOutput } from '../../src/measure/consumer.ts';
import { consumerReader } from '../../src/measure/consumer.ts';
import type { ProducerOutput } from '../../src/measure/producer.ts';
import { producerReader } from '../../src/measure/producer.ts';
import type { ToolErrors } from '../../src/measure/stderr.ts';
import { errorsParser } from '../../src/measure/stderr.ts';

/** One file of the captured runs of the real 4.3.1 tools. */
export function kafkaCase(name: string): string {
  const bytes = readFileSync(new URL(`../cases/kafka-4.3.1/${name}`, import.meta.url));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

export function readProducer(text: string, stamped = false): ProducerOutput {
  const reader = producerReader({ stamped });
  reader.push(text);
  return reader.end();
}

export function readConsumer(text: string, stamped = false): ConsumerOutput {
  const reader = consumerReader({ stamped });
  reader.push(text);
  return reader.end();
}

export function readErrors(text: string): ToolErrors {
  const parser = errorsParser();
  for (const line of text.split('\n')) parser.line(line);
  return parser.errors();
}

/** Paths of values that JSON cannot carry: NaN, Infinity, undefined. */
export function unclean(value: unknown, path = '$'): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path}=${value}`];
  if (value === undefined) return [`${path}=undefined`];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => unclean(inner, `${path}.${key}`));
}
