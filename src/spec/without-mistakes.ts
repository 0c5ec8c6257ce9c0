import type { SpecIssue, SpecPath } from './issue.ts';
import { isMap, type Json } from './levels.ts';

/** What is left of a spec when its mistakes are cut out. */
export interface Rest {
  readonly json: Json;
  /** Nothing was cut out that other parts may name: topics, loads, factors, levels. */
  readonly whole: boolean;
}

/** Words that stand in for what is missing at the top. */
const STAND_INS: Readonly<Record<string, string>> = { name: 'x', question: 'x' };
const NAMED = ['topics', 'producers', 'consumers', 'factors', 'scenarios'];

/**
 * Cuts out what is wrong, so that the rest can be looked at too: one typing error at the top of a file must not hide a
 * misspelt property at its end. Null when nothing can be cut.
 */
export function withoutMistakes(json: Json, issues: readonly SpecIssue[]): Rest | null {
  let rest: Json = { ...STAND_INS, ...json };
  let whole = true;
  for (const { path } of issues) {
    if (path.length === 0) continue;
    rest = without(rest, path);
    if (path[0] === 'factors' || path[0] === 'scenarios') whole = false;
    else if (NAMED.includes(String(path[0])) && path.length <= 2) whole = false;
  }
  return rest === json ? null : { json: { ...STAND_INS, ...rest }, whole };
}

function without(json: Json, [key, ...rest]: SpecPath): Json {
  if (key === undefined || !Object.hasOwn(json, key)) return json;
  const { [key]: inner, ...others } = json;
  if (rest.length === 0 || !isMap(inner)) return others;
  return { ...json, [key]: without(inner, rest) };
}
