import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabPlan } from '../../design/plan.ts';
import type { NodePlace } from './broker-config.ts';
import type { Pinning } from './pinning.ts';

/**
 * What the lab in this folder consists of (`lab.json`). Each resource stands here before it is created, so that a
 * later process can find or end all of it from this file alone.
 */
export interface LabRecord {
  readonly format: 1;
  readonly key: string;
  readonly plan: LabPlan;
  /** After this the janitor may end it; brokers end themselves then (their capsules' deadline). */
  readonly expiresAtMs: number;
  readonly clusterId: string;
  readonly java: { readonly path: string; readonly version: string };
  readonly kafka: { readonly version: string; readonly libs: string; readonly from: string };
  /** Class-data archive the brokers start from; null = none. */
  readonly archive: string | null;
  readonly pinning: Pinning;
  readonly nodes: readonly NodeRecord[];
}

export interface NodeRecord extends NodePlace {
  /** From 1; a restarted broker is the next one. */
  readonly incarnation: number;
}

/** The nodes of a lab that does not exist yet; `ports`: two for each, the broker's and the controller's. */
export function firstNodes(folder: string, count: number, ports: readonly number[]): readonly NodeRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `b${i + 1}`,
    nodeId: i + 1,
    brokerPort: ports[i * 2] ?? 0,
    controllerPort: ports[i * 2 + 1] ?? 0,
    folder: join(folder, `b${i + 1}`),
    incarnation: 1,
  }));
}

/** The record of the lab in this folder; null when there is none. */
export function readLabRecord(folder: string): LabRecord | null {
  let text: string;
  try {
    text = readFileSync(join(folder, 'lab.json'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const record = JSON.parse(text) as LabRecord;
  if (record.format !== 1)
    throw new Error(`${folder}/lab.json has format ${String(record.format)}; this Assay reads 1`);
  return record;
}

/** Replaces the record; a reader sees the old or the new one, never half of it. */
export function writeLabRecord(folder: string, record: LabRecord): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lab.json');
  const draft = `${file}.draft-${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { flush: true });
  renameSync(draft, file);
}
