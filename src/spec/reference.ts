import { z } from 'zod';
import { specSchema } from './schema.ts';
import { WRITTEN, type Written } from './written.ts';

/** A key of the language as the reference page shows it. */
export interface KeyRow {
  /** `producers.*.rate`; `*` stands for a name or a place in a list. */
  readonly path: string;
  /** How its value is written: `time`, `5 to 10`, `wait or sync`, a section … */
  readonly written: string;
  /** As it would be written in a spec; empty = none, `needed` = there must be one. */
  readonly default: string;
  readonly meaning: string;
}

/** Every key of the language in its order, sections included. */
export function keyRows(): readonly KeyRow[] {
  return [...new Map(rowsOf(specSchema, '').map((row) => [row.path, row])).values()];
}

/** A section that stands in two places is shown in the first; the other one's meaning names it. */
const SHOWN_ELSEWHERE = ['topics.*.fill.payload.'];

function rowsOf(schema: unknown, prefix: string, choice = false): readonly KeyRow[] {
  if (SHOWN_ELSEWHERE.includes(prefix)) return [];
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion) return inner.def.options.flatMap((option) => rowsOf(option, prefix, true));
  if (inner instanceof z.ZodRecord) return rowsOf(inner.def.valueType, `${prefix}*.`);
  if (inner instanceof z.ZodArray) return rowsOf(inner.def.element, `${prefix}*.`);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape).flatMap(([key, value]) => [
    rowOf(value as z.ZodType, `${prefix}${key}`, choice),
    ...rowsOf(value, `${prefix}${key}.`),
  ]);
}

/** A key of one of several forms of a section is needed in that form only, which its meaning says. */
function rowOf(schema: z.ZodType, path: string, choice: boolean): KeyRow {
  const given = defaultOf(schema);
  return {
    path,
    written: writtenOf(schema),
    default: choice && given === 'needed' ? '' : given,
    meaning: meaningOf(schema),
  };
}

/** One wrapper less: optional, default, transform. Undefined when there is none. */
function below(schema: unknown): unknown {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return schema.def.innerType;
  return schema instanceof z.ZodPipe ? schema.def.in : undefined;
}

function layers(schema: unknown): readonly unknown[] {
  const inner = below(schema);
  return inner === undefined ? [schema] : [schema, ...layers(inner)];
}

function unwrapped(schema: unknown): unknown {
  return layers(schema).at(-1);
}

function metaOf(schema: unknown, key: string): unknown {
  return layers(schema)
    .map((layer) => (layer as z.ZodType).meta()?.[key])
    .find((value) => value !== undefined);
}

function meaningOf(schema: z.ZodType): string {
  const said = metaOf(schema, 'description');
  return typeof said === 'string' ? said : '';
}

function defaultOf(schema: z.ZodType): string {
  const given = layers(schema).find(
    (layer): layer is z.ZodDefault | z.ZodPrefault =>
      layer instanceof z.ZodDefault || layer instanceof z.ZodPrefault,
  );
  if (given !== undefined) return shown(given.def.defaultValue);
  return layers(schema).some((layer) => layer instanceof z.ZodOptional) ? '' : 'needed';
}

/** Sections with defaults of their own have none to show. */
function shown(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string') return `\`${value}\``;
  if (typeof value !== 'object') return `\`${JSON.stringify(value)}\``;
  if (Array.isArray(value)) return value.length === 0 ? '`[]`' : `\`${JSON.stringify(value)}\``;
  const entries = Object.entries(value);
  return entries.length === 0
    ? ''
    : `\`{ ${entries.map(([key, one]) => `${key}: ${JSON.stringify(one)}`).join(', ')} }\``;
}

function writtenOf(schema: z.ZodType): string {
  const unit = metaOf(schema, 'writtenAs');
  if (typeof unit === 'string') return WRITTEN[unit as Written].name;
  if (metaOf(schema, 'propertiesOf') !== undefined) return 'map of properties';
  const [least, most] = [metaOf(schema, 'minimum'), metaOf(schema, 'maximum')];
  if (typeof least === 'number' && typeof most === 'number')
    return most >= 2 ** 31 - 1 ? 'whole number' : `${least} to ${most.toLocaleString('en-US')}`;
  return writtenAs(unwrapped(schema));
}

function writtenAs(inner: unknown): string {
  if (inner instanceof z.ZodEnum) return inner.options.map((o) => `\`${o}\``).join(', ');
  if (inner instanceof z.ZodLiteral) return [...inner.def.values].map((v) => `\`${String(v)}\``).join(', ');
  if (inner instanceof z.ZodUnion) return ofBranches(inner.def.options);
  if (inner instanceof z.ZodBoolean) return '`true`, `false`';
  if (inner instanceof z.ZodArray || inner instanceof z.ZodTuple) return 'list';
  if (inner instanceof z.ZodRecord) return 'map';
  if (inner instanceof z.ZodObject) return 'section';
  if (inner instanceof z.ZodNumber) return 'number';
  return 'text';
}

function ofBranches(options: readonly unknown[]): string {
  return [...new Set(options.map((option) => writtenOf(option as z.ZodType)))].join(' or ');
}
