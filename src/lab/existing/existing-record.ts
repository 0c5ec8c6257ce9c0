import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterBroker } from './cluster-calls.ts';

/** What an experiment has to know of somebody's cluster; written beside the lab's own record before anything is created there. */
export interface ExistingRecord {
  readonly format: 1;
  readonly key: string;
  readonly clusterId: string;
  readonly brokers: readonly ClusterBroker[];
  /** In the order in which replicas are placed, for all attempts alike. */
  readonly brokerIds: readonly number[];
  /** The topic that is the lease. */
  readonly lease: string;
}

/** Null when the experiment has created nothing in any cluster. */
export function readExistingRecord(folder: string): ExistingRecord | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'existing.json'), 'utf8')) as ExistingRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export function writeExistingRecord(folder: string, record: ExistingRecord): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'existing.json');
  const draft = `${file}.draft-${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { flush: true });
  renameSync(draft, file);
}
