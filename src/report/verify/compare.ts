/** A value of a results folder that is not what its raw files give. */
export interface Difference {
  /** File of the results folder. */
  readonly path: string;
  /** Inside it: `loads[0].steady.recordsPerS`, or row and column of a table; empty: the file as a whole. */
  readonly where: string;
  /** As stored; `nothing` when it is not there. */
  readonly stored: string;
  readonly derived: string;
}

/** What a comparison came to. */
export interface Compared {
  /** Numbers that were derived again, equal or not. */
  readonly numbers: number;
  readonly differences: readonly Difference[];
}

/** Sums of many small numbers may differ in their last digits from one version of Node to the next. */
const SAME_WITHIN = 1e-9;
const SHOWN_CHARS = 120;

/** Compares a stored JSON value with what is derived; numbers are equal within a share of 1e-9. */
export function compareJson(path: string, stored: unknown, derived: unknown): Compared {
  const differences: Difference[] = [];
  let numbers = 0;
  const differ = (where: string, a: unknown, b: unknown): void => {
    differences.push({ path, where, stored: shown(a), derived: shown(b) });
  };
  const walk = (where: string, a: unknown, b: unknown): void => {
    if (typeof b === 'number') numbers += 1;
    if (typeof a === 'number' && typeof b === 'number') {
      if (!sameNumber(a, b)) differ(where, a, b);
    } else if (isTree(a) && isTree(b) && Array.isArray(a) === Array.isArray(b)) {
      const inside = Array.isArray(b)
        ? (key: string) => `${where}[${key}]`
        : (key: string) => (where === '' ? key : `${where}.${key}`);
      for (const key of new Set([...Object.keys(b), ...Object.keys(a)]))
        walk(inside(key), own(a, key), own(b, key));
    } else if (a !== b) differ(where, a, b);
  };
  // Through JSON: what is not stored (undefined, NaN) must not count as a difference.
  walk('', stored, JSON.parse(JSON.stringify(derived)));
  return { numbers, differences };
}

/** Compares two tables cell by cell; the first row holds the names of the columns. */
export function compareTables(
  path: string,
  stored: readonly (readonly string[])[],
  derived: readonly (readonly string[])[],
): Compared {
  const differences: Difference[] = [];
  let numbers = 0;
  const header = derived[0] ?? [];
  for (let row = 0; row < Math.max(stored.length, derived.length); row += 1) {
    const [a, b] = [stored[row] ?? [], derived[row] ?? []];
    for (let column = 0; column < Math.max(a.length, b.length); column += 1) {
      if (row > 0 && isNumber(b[column])) numbers += 1;
      if (a[column] === b[column]) continue;
      const where = `row ${row + 1}, ${row === 0 ? 'the header' : (header[column] ?? `column ${column + 1}`)}`;
      differences.push({ path, where, stored: shown(a[column]), derived: shown(b[column]) });
    }
  }
  return { numbers, differences };
}

/** Compares texts line by line; only the first line that differs is named. */
export function compareText(path: string, stored: string, derived: string): Compared {
  if (stored === derived) return { numbers: 0, differences: [] };
  const [a, b] = [stored.split('\n'), derived.split('\n')];
  const at = b.findIndex((line, i) => a[i] !== line);
  const line = at < 0 ? b.length : at;
  const [left, right] = fromFirstDifference(a[line] ?? '', b[line] ?? '');
  const where = `line ${line + 1}`;
  return { numbers: 0, differences: [{ path, where, stored: shown(left), derived: shown(right) }] };
}

/** All of them together. */
export function together(parts: readonly Compared[]): Compared {
  return {
    numbers: parts.reduce((sum, part) => sum + part.numbers, 0),
    differences: parts.flatMap((part) => part.differences),
  };
}

function sameNumber(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= SAME_WITHIN * Math.max(Math.abs(a), Math.abs(b));
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function own(tree: object, key: string): unknown {
  return Object.hasOwn(tree, key) ? (tree as Record<string, unknown>)[key] : undefined;
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && text !== '' && Number.isFinite(Number(text));
}

/** Long lines (a drawn chart is one) are shown from a little before the place where they part. */
function fromFirstDifference(a: string, b: string): [string, string] {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const from = Math.max(0, at - 30);
  return [a.slice(from), b.slice(from)];
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS - 1)}…`;
}
