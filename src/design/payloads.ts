import { recordBytesOf } from '../spec/payload-size.ts';
import type { PayloadSpec } from '../spec/schema.ts';
import type { PayloadPlan } from './plan.ts';

/**
 * The file of records that a load reads. Loads side by side get variants, the same lines in another order, because the
 * perf tool draws lines in one fixed sequence for every producer.
 */
export function payloadPlan(payload: PayloadSpec, variant = 0): PayloadPlan {
  const recordBytes = recordBytesOf(payload) ?? 0;
  const suffix = variant === 0 ? '' : `-v${variant}`;
  const other = variant === 0 ? {} : { variant };
  if (payload.random !== undefined) {
    const { lines, seed } = payload.random;
    return {
      name: `random-${recordBytes}B-${lines}l-s${seed}${suffix}`,
      kind: 'random',
      lines,
      recordBytes,
      seed,
      ...other,
    };
  }
  if (payload.file !== undefined) {
    // The check of the plan refuses a file that nobody has read.
    const file =
      typeof payload.file === 'string'
        ? { name: payload.file, sha256: '', bytes: 0, lines: 1 }
        : payload.file;
    const { sha256, bytes, lines } = file;
    return {
      name: `file-${sha256.slice(0, 16)}`,
      kind: 'file',
      lines,
      recordBytes,
      file: file.name,
      sha256,
      bytes,
    };
  }
  const { lines = 1, padding = 0, seed = 1 } = payload.json ?? {};
  const name = `json-${recordBytes}B-${lines}l-p${Math.round(padding * 10_000)}-s${seed}${suffix}`;
  return { name, kind: 'json', lines, recordBytes, padding, seed, ...other };
}

/** Bytes of a record of the payload of this name; null = the plan has none of that name. */
export function payloadRecordBytes(
  payloads: readonly PayloadPlan[],
  name: string | null | undefined,
): number | null {
  return payloads.find((p) => p.name === name)?.recordBytes ?? null;
}
