import type { SpecIssue, SpecPath } from './issue.ts';
import { unseenCharacter } from './visible.ts';

const MAX_DEPTH = 24;
const MAX_VALUES = 50_000;
const MAX_TEXT = 10_000;
/** Kafka's longest property names have about 60 characters. */
const MAX_NAME = 200;
/** Names that every JavaScript object answers to; never of use in a spec. */
const HOSTILE_NAMES = new Set([
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
]);

/** Whether plain JSON is small and tame enough to be looked at further. Stops at the first thing out of bounds. */
export function shapeIssues(json: unknown): readonly SpecIssue[] {
  const todo: { value: unknown; path: SpecPath }[] = [{ value: json, path: [] }];
  let seen = 0;
  for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
    seen += 1;
    const message = problem(item.value, item.path, seen);
    if (message !== null)
      return [{ code: 'too-large', path: item.path.slice(0, MAX_DEPTH), at: 'value', message }];
    if (typeof item.value !== 'object' || item.value === null) continue;
    const { path, value } = item;
    for (const [key, child] of Object.entries(value)) {
      if (!Array.isArray(value) && HOSTILE_NAMES.has(key))
        return [
          { code: 'refused', path: [...path, key], at: 'key', message: `"${key}" cannot be used as a name.` },
        ];
      const unseen = Array.isArray(value) ? null : unseenCharacter(key, false);
      if (unseen !== null)
        return [{ code: 'refused', path: [...path, key], at: 'key', message: unseenMessage(unseen) }];
      if (key.length > MAX_NAME)
        return [
          { code: 'too-large', path, at: 'key', message: `A name is longer than ${MAX_NAME} characters.` },
        ];
      todo.push({ value: child, path: [...path, Array.isArray(value) ? Number(key) : key] });
    }
  }
  return [];
}

function problem(value: unknown, path: SpecPath, seen: number): string | null {
  if (path.length > MAX_DEPTH) return `The spec is nested deeper than ${MAX_DEPTH} levels.`;
  if (seen > MAX_VALUES) return `The spec holds more than ${MAX_VALUES} values.`;
  if (typeof value === 'string' && value.length > MAX_TEXT)
    return `A text is longer than ${MAX_TEXT} characters.`;
  const unseen = typeof value === 'string' ? unseenCharacter(value, true) : null;
  if (unseen !== null) return unseenMessage(unseen);
  if (typeof value === 'number' && !Number.isFinite(value)) return 'This number is too large, or no number.';
  if (!['object', 'string', 'number', 'boolean'].includes(typeof value))
    return `A ${typeof value} is no value of a spec.`;
  return null;
}

function unseenMessage(character: string): string {
  return `The text holds ${character}, a control character that nobody sees. Remove it.`;
}
