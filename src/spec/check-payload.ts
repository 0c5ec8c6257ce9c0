import type { SpecIssue, SpecPath } from './issue.ts';
import { levelsOf, splitPath } from './levels.ts';
import type { PayloadSpec, Spec } from './schema.ts';

/** Whether codecs are compared: then what the records hold decides the answer. */
export function codecVaries(spec: Spec): boolean {
  return Object.values(spec.factors).some((factor) =>
    levelsOf(factor).some((level) => level.sets.some(([path]) => path.endsWith('.config.compression.type'))),
  );
}

/** One and the same record again and again compresses to nothing: a question about codecs has no answer. */
export function constantPayload(spec: Spec, settings: Spec): readonly SpecIssue[] {
  const [kind, lines] = linesOf(settings.payload);
  if (lines !== 1 || !codecVaries(spec)) return [];
  const path = kind === 'file' ? ['payload', 'file'] : ['payload', kind, 'lines'];
  return [{ code: 'contradiction', path, at: 'value', message: CONSTANT }];
}

/** Said of generated records and of files alike. */
export const CONSTANT =
  'Every record is the same, and codecs are compared: each would squeeze a batch to almost nothing. Use many different lines.';

function linesOf(payload: PayloadSpec): readonly [kind: string, lines: number | null] {
  if (payload.random !== undefined) return ['random', payload.random.lines];
  if (payload.file !== undefined)
    return ['file', typeof payload.file === 'string' ? null : payload.file.lines];
  return ['json', payload.json?.lines ?? null];
}

/** A file of records that a spec names and nobody has read yet: where its name stands. */
export interface PayloadSpot {
  readonly path: SpecPath;
  readonly file: string;
}

/** Every place of a spec, levels included, that names a file of records; and the one form of level that cannot. */
export function payloadSpots(spec: Spec): { spots: readonly PayloadSpot[]; issues: readonly SpecIssue[] } {
  const spots: PayloadSpot[] = [];
  const issues: SpecIssue[] = [];
  const look = (path: SpecPath, file: unknown): void => {
    if (typeof file === 'string') spots.push({ path, file });
  };
  look(['payload', 'file'], spec.payload.file);
  for (const [name, { fill }] of Object.entries(spec.topics))
    look(['topics', name, 'fill', 'payload', 'file'], fill?.payload.file);
  for (const [name, factor] of Object.entries(spec.factors))
    for (const { key, sets } of levelsOf(factor))
      for (const [written, value] of sets) {
        const last = splitPath(written).slice(-2).join('.');
        const inList = typeof key === 'number';
        const at = ['factors', name, 'levels', key, ...(inList ? [] : [written])];
        if (last === 'payload.file' && inList) issues.push(needsNames(name, written));
        else if (last === 'payload.file') look(at, value);
        else if (last.endsWith('payload')) look([...at, 'file'], fileIn(value));
      }
  return {
    spots,
    issues: issues.filter((one, i) => issues.findIndex((o) => o.path[1] === one.path[1]) === i),
  };
}

function needsNames(factor: string, written: string): SpecIssue {
  return {
    code: 'wrong-value',
    path: ['factors', factor, 'levels'],
    at: 'key',
    message: `Files of records need named levels, e.g. levels: { ours: { ${written}: ./ours.jsonl }, … }.`,
  };
}

function fileIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'file' in value ? value.file : undefined;
}
