import { z } from 'zod';

/** The declaration behind optional, default, transform and lazy wrappers. */
function unwrapped(schema: unknown): unknown {
  let inner = schema;
  for (;;) {
    if (
      inner instanceof z.ZodOptional ||
      inner instanceof z.ZodNullable ||
      inner instanceof z.ZodDefault ||
      inner instanceof z.ZodPrefault
    )
      inner = inner.def.innerType;
    else if (inner instanceof z.ZodPipe) inner = inner.def.in;
    else return inner;
  }
}

function step(schema: unknown, key: string | number): unknown[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion) return inner.def.options.flatMap((option) => step(option, key));
  if (inner instanceof z.ZodObject) return Object.hasOwn(inner.shape, key) ? [inner.shape[key]] : [];
  if (inner instanceof z.ZodRecord) return [inner.def.valueType];
  if (inner instanceof z.ZodArray) return [inner.def.element];
  return [];
}

function keysOf(schema: unknown): string[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion) return inner.def.options.flatMap(keysOf);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.keys(inner.shape).filter((key) => !isLater(inner.shape[key]));
}

/** Whether a key is only a place kept for a later version. */
function isLater(schema: unknown): boolean {
  return unwrapped(schema) instanceof z.ZodNever;
}

/** Whether a schema has a place for this path: a key, an entry of a free map or of a list. */
export function reaches(schema: z.ZodType, path: readonly (string | number)[]): boolean {
  let here: unknown[] = [schema];
  for (const key of path) here = here.flatMap((s) => step(s, key));
  return here.length > 0;
}

/** The keys that a spec may have at a path; of a union those of all its branches. Empty for free maps and values. */
export function keysAt(schema: z.ZodType, path: readonly (string | number)[]): readonly string[] {
  let here: unknown[] = [schema];
  for (const key of path) here = here.flatMap((s) => step(s, key));
  return [...new Set(here.flatMap(keysOf))];
}

/** Every key path of a schema, `*` for entries of maps and lists: what a reference page must speak of. */
export function allKeyPaths(schema: unknown, prefix = ''): readonly string[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion)
    return [...new Set(inner.def.options.flatMap((option) => allKeyPaths(option, prefix)))];
  if (inner instanceof z.ZodRecord) return allKeyPaths(inner.def.valueType, `${prefix}*.`);
  if (inner instanceof z.ZodArray) return allKeyPaths(inner.def.element, `${prefix}*.`);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape).flatMap(([key, value]) => [
    `${prefix}${key}`,
    ...allKeyPaths(value, `${prefix}${key}.`),
  ]);
}
