import { finite } from './decimals.ts';

/** One row of `--print-metrics`: `group:name:{tag=value, …} : value`. */
export interface MetricRow {
  readonly group: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  /** null for NaN, Infinity, versions, hex ids and other texts. */
  readonly value: number | null;
  /** The value as it was printed. */
  readonly text: string;
}

/** More rows than any client has; the rest is counted, not kept. */
const MAX_ROWS = 20_000;
const HEADER = /^Metric Name\s+Value\s*$/;
const ROW = /^([A-Za-z][\w.-]*):([\w. -]+):\{(.*)\}\s* : (\S.*)$/;
/** Groups whose values are names and versions, even when they happen to be all digits. */
const TEXTS = new Set(['app-info:commit-id', 'app-info:version']);

/** True for the line that starts the table. */
export function isMetricsHeader(line: string): boolean {
  return HEADER.test(line);
}

/** Reads one row; null when the line is not a whole row. */
export function metricRow(line: string): MetricRow | null {
  const found = ROW.exec(line);
  if (found === null) return null;
  const [, group = '', name = '', tagText = '', raw = ''] = found;
  const text = raw.trim();
  const tags: Record<string, string> = Object.create(null) as Record<string, string>;
  if (tagText !== '') {
    for (const pair of tagText.split(/, (?=[\w.-]+=)/)) {
      const at = pair.indexOf('=');
      if (at <= 0) return null;
      tags[pair.slice(0, at)] = pair.slice(at + 1);
    }
  }
  return { group, name, tags: { ...tags }, value: TEXTS.has(`${group}:${name}`) ? null : finite(text), text };
}

export interface MetricsTable {
  readonly rows: readonly MetricRow[];
  /** Rows beyond the limit, dropped. */
  readonly dropped: number;
  /** Lines inside the table that are not whole rows: torn or foreign. */
  readonly unreadable: number;
}

/** Reads the table line by line, from its header on. `line` says whether it took the line. */
export function metricsTableParser(): { line(text: string): boolean; table(): MetricsTable } {
  const rows: MetricRow[] = [];
  let inside = false;
  let dropped = 0;
  let unreadable = 0;
  return {
    line(text) {
      if (!inside) {
        inside = text.startsWith('Metric Name') && isMetricsHeader(text);
        return inside;
      }
      if (!text.includes(':')) return text.trim() === '';
      const row = metricRow(text);
      if (row === null) {
        if (/^[a-z-]+:[\w.-]+/.test(text)) unreadable += 1;
        return false;
      }
      if (rows.length < MAX_ROWS) rows.push(row);
      else dropped += 1;
      return true;
    },
    table: () => ({ rows: [...rows], dropped, unreadable }),
  };
}

/**
 * One number for each `group:name`. A metric with several rows (one a topic or node) is summed when it is a
 * total, a count or a rate, its extreme is taken when it is a maximum or minimum, and it is absent otherwise:
 * averages without their weights cannot be joined. Values that are no numbers are absent.
 */
export function metricsByName(rows: readonly MetricRow[]): Record<string, number> {
  const values = new Map<string, number[]>();
  for (const row of rows) {
    if (row.value === null) continue;
    const key = `${row.group}:${row.name}`;
    const list = values.get(key);
    if (list === undefined) values.set(key, [row.value]);
    else list.push(row.value);
  }
  const joined: [string, number][] = [];
  for (const [key, list] of values) {
    const value = join(key, list);
    if (value !== null) joined.push([key, value]);
  }
  return Object.fromEntries(joined);
}

function join(key: string, list: readonly number[]): number | null {
  if (list.length === 1) return list[0] ?? null;
  if (/-(total|count|rate)$/.test(key)) return list.reduce((sum, value) => sum + value, 0);
  if (key.endsWith('-max')) return list.reduce((a, b) => Math.max(a, b));
  if (key.endsWith('-min')) return list.reduce((a, b) => Math.min(a, b));
  return null;
}
