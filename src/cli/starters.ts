import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The starter specs of `assay init`, simplest question first; each is `starters/<name>.yaml`. */
export const STARTERS = [
  'batch-size',
  'linger',
  'codec',
  'acks',
  'replication',
  'partitions',
  'latency',
  'two-producers',
  'consumer-catch-up',
  'capacity',
] as const;

export type Starter = (typeof STARTERS)[number];

/** Words that people ask with, and the starter that is about them. */
export const SPEAK_OF: Readonly<Record<string, Starter>> = {
  lz4: 'codec',
  zstd: 'codec',
  gzip: 'codec',
  snappy: 'codec',
  compression: 'codec',
  'compression.type': 'codec',
  batch: 'batch-size',
  'batch.size': 'batch-size',
  'linger.ms': 'linger',
  durability: 'acks',
  idempotence: 'acks',
  rf: 'replication',
  'min.insync.replicas': 'replication',
  p99: 'latency',
  throughput: 'capacity',
  search: 'capacity',
  consumer: 'consumer-catch-up',
  consumers: 'consumer-catch-up',
  replay: 'consumer-catch-up',
  producers: 'two-producers',
};

/** The commented spec of a starter, as it lies in the package. */
export function starterText(name: Starter): string {
  return readFileSync(join(import.meta.dirname, 'starters', `${name}.yaml`), 'utf8');
}

/** The question that a starter answers, for a list. Pure. */
export function questionOf(text: string): string {
  return /^question: (.+)$/m.exec(text)?.[1] ?? '';
}
