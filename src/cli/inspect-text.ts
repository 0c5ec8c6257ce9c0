import type { Inspection } from '../measure/inspect.ts';

/** One inspection for people: verdict first, then why, then the numbers that can be believed. */
export function inspectText(one: Inspection, colour: boolean): string {
  const valid = one.verdict === 'valid';
  const paint = (text: string, code: number): string => (colour ? `\u001B[${code}m${text}\u001B[0m` : text);
  const mark = valid ? paint('✓', 32) : paint('✗', 31);
  const name = one.file === '-' ? 'stdin' : visible(one.file);
  return [
    `${mark} ${name}: ${one.verdict} · ${toolText(one)} · ${countText(one)}`,
    ...one.reasons.map(({ code, message }) => `  ${paint('✗', 31)} ${code}: ${visible(message)}`),
    ...row('rate', ratesText(one)),
    ...row('latency', latencyText(one)),
    ...row('windows', windowsText(one)),
    ...one.notes.map(({ code, message }) => `  · ${code}: ${visible(message)}`),
  ].join('\n');
}

function row(name: string, text: string | null): string[] {
  return text === null ? [] : [`  ${name.padEnd(8)} ${text}`];
}

function toolText({ tool }: Inspection): string {
  return tool === 'unknown' ? 'unknown tool' : tool;
}

function countText({ finalCount, asked }: Inspection): string {
  const count = finalCount === null ? 'count not known' : `${grouped(finalCount)} records`;
  return asked === null ? count : `${count}, ${grouped(asked)} asked`;
}

function ratesText({ rates, times }: Inspection): string | null {
  if (rates === null) return null;
  const pair = (records: number | null, mib: number | null): string =>
    [records === null ? null : `${grouped(records)} records/s`, mib === null ? null : `${mib} MiB/s`]
      .filter((text) => text !== null)
      .join(', ');
  const whole = pair(rates.recordsPerS, rates.mibPerS);
  const fetch = pair(rates.fetchRecordsPerS, rates.fetchMibPerS);
  const elapsed = times?.elapsedMs ?? null;
  const over = elapsed === null ? '' : ` over the whole ${(elapsed / 1000).toFixed(1)} s`;
  return (
    [whole === '' ? '' : whole + over, fetch === '' ? '' : `fetch alone ${fetch}`]
      .filter(Boolean)
      .join('; ') || null
  );
}

function latencyText({ latency }: Inspection): string | null {
  if (latency === null) return null;
  const { avgMs, p50Ms, p95Ms, p99Ms, p999Ms, maxMs } = latency;
  const parts = Object.entries({
    avg: avgMs,
    p50: p50Ms,
    p95: p95Ms,
    p99: p99Ms,
    'p99.9': p999Ms,
    max: maxMs,
  });
  return `${parts.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${grouped(ms)}`])).join(', ')} ms`;
}

function windowsText({ windows }: Inspection): string | null {
  if (windows === null) return null;
  const { lines, records, minRecordsPerS: min, maxRecordsPerS: max } = windows;
  const range = min === null || max === null ? '' : `, ${grouped(min)} to ${grouped(max)} records/s`;
  return `${lines} interval ${lines === 1 ? 'line' : 'lines'} with ${grouped(records)} records${range}`;
}

function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 2 : value < 10_000 ? 1 : 0 });
}

/** A log may hold anything; a terminal gets no control characters of it. */
function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, '·');
}
