import type { Position, SpecIssue, SpecPath } from './issue.ts';
import { type Json, isMap } from './levels.ts';

/** One text of which a spec is made: a fragment, the spec itself, or what the command line sets. */
export interface Layer {
  readonly json: unknown;
  /** Where a path stands, and how many of its steps are really there; null = nothing of it is. */
  readonly find: (path: SpecPath, at: SpecIssue['at']) => Found | null;
}

export interface Found {
  readonly depth: number;
  readonly position: Position;
}

/**
 * The JSON of several layers, later ones over earlier ones: maps are merged, everything else replaces, and null removes
 * what an earlier layer has.
 */
export function laidOver(layers: readonly Layer[]): unknown {
  return layers.map((layer) => layer.json).reduce(over);
}

function over(below: unknown, above: unknown): unknown {
  if (!isMap(below) || !isMap(above)) return above;
  const result: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    if (!Object.hasOwn(below, key)) result[key] = value;
    else if (value === null) delete result[key];
    else result[key] = over(below[key], value);
  }
  return result satisfies Json;
}

/** The issues with the places of their mistakes, in the order of the text; `main` is where what is missing would stand. */
export function placedIn(
  layers: readonly Layer[],
  main: Layer,
  issues: readonly SpecIssue[],
): readonly SpecIssue[] {
  return issues.map((issue) => ({ ...issue, ...positionOf(layers, main, issue) })).toSorted(byPlace);
}

/** A mistake that several settings make together stands where one of them is written. */
function positionOf(layers: readonly Layer[], main: Layer, issue: SpecIssue): { position?: Position } {
  if (issue.position) return {};
  for (const path of [issue.path, ...(issue.orAt ?? [])]) {
    const whole = layers
      .map((layer) => layer.find(path, issue.at))
      .findLast((found) => found?.depth === path.length);
    if (whole && path.length > 0) return { position: whole.position };
  }
  const found = layers.flatMap((layer) => layer.find(issue.path, issue.at) ?? []);
  const deepest = Math.max(0, ...found.map((f) => f.depth));
  const best = deepest === 0 ? main.find([], issue.at) : found.findLast((f) => f.depth === deepest);
  return best ? { position: best.position } : {};
}

function byPlace(a: SpecIssue, b: SpecIssue): number {
  const [p, q] = [a.position, b.position];
  if (p === undefined || q === undefined || p.file !== q.file) return 0;
  return p.line - q.line || p.column - q.column;
}
