/** Numbers and text as every renderer shows them: the same on every machine, whatever its locale. */

export { NOT_A_MEASUREMENT } from '../design/smoke.ts';

const MIB = 1024 * 1024;

/** Control characters and bidirectional overrides could move a terminal's cursor or turn a line around. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Foreign text made safe to show on one line: names come from a spec that somebody else may have written. */
export function plainText(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(UNSAFE, '\ufffd');
}

/** `69123.4` → `69,123`. */
export function integer(value: number): string {
  const digits = Math.abs(Math.round(value)).toString();
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, ',');
  return value < 0 && grouped !== '0' ? `−${grouped}` : grouped;
}

/** At least three significant digits, never scientific: `6.31`, `63.1`, `631`, `6,312`. */
export function number(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return 'unknown';
  if (size >= 100) return integer(value);
  return value.toFixed(size >= 10 ? 1 : 2).replace('-', '−');
}

/** Bytes per second as MiB/s, without the unit. */
export function mibPerS(bytesPerS: number): string {
  return number(bytesPerS / MIB);
}

/** A share as a percentage: `0.053` → `5.3 %`. */
export function percent(share: number): string {
  const value = share * 100;
  const digits = Math.abs(value) >= 10 || Number.isInteger(Math.round(value * 1000) / 1000) ? 0 : 1;
  return `${value.toFixed(digits).replace('-', '−')} %`;
}

/** `850 ms`, `12.4 s`, `14 min 05 s`, `2 h 03 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${(ms / 1000).toFixed(1)} s`;
  const two = (n: number): string => String(n).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} min`;
}

/** `64 KiB`, `1.5 GiB`. */
export function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let scaled = value;
  let unit = 0;
  while (scaled >= 1024 && unit < units.length - 1) {
    scaled /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(scaled) ? scaled : number(scaled)} ${units[unit]}`;
}

/** `2026-11-30 13:42 UTC` from an ISO time; the text itself where it is none. */
export function moment(iso: string): string {
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(iso);
  return parts ? `${parts[1]} ${parts[2]} UTC` : plainText(iso);
}

/** `1 trial`, `12 trials`. */
export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${integer(n)} ${n === 1 ? singular : plural}`;
}

/** A command as it can be pasted into a POSIX shell. */
export function shellCommand(argv: readonly string[]): string {
  return argv
    .map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
