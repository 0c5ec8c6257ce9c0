import { csvText, type Field } from './csv-table.ts';

/** A sampler's JSON lines as stored with a trial. */
export interface SampleFile {
  /** `trials/b3/batch=64KiB/a1/sampler.jsonl`. */
  readonly path: string;
  readonly text: string;
}

type Json = Readonly<Record<string, unknown>>;
type Cells = Map<string, Field>;

const CPU = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'];

/** Names of the device's counters as the kernel counts them: sectors are 512 B whatever the device. */
const DISK: Readonly<Record<string, string>> = {
  rio: 'disk_reads',
  rsect: 'disk_read_512b_sectors',
  wio: 'disk_writes',
  wsect: 'disk_written_512b_sectors',
  ioms: 'disk_busy_ms',
  dio: 'disk_discards',
  fio: 'disk_flushes',
};

/** Columns that every table has, in this order; those of interfaces and processes follow, sorted. */
const FIXED: readonly string[] = [
  'trial_folder',
  'file',
  'line',
  'malformed',
  'hz',
  'cores',
  'device',
  'read_start_epoch_s',
  'read_end_epoch_s',
  'read_start_uptime_s',
  'read_end_uptime_s',
  ...CPU.map((name) => `cpu_${name}_ticks`),
  ...Object.values(DISK),
  'dirty_kib',
  'writeback_kib',
  'psi_cpu_some_us',
  'psi_io_some_us',
  'psi_mem_some_us',
  'cgroup_throttled_us',
];

/**
 * Every reading of every sampler, flat: counters as they were read, not rates. A counter that was not there
 * is empty, never 0; a line that cannot be read is a row that says so.
 *
 * @param stamp put into a first column of every row; null = no such column.
 */
export function samplesCsv(files: readonly SampleFile[], stamp: string | null = null): string {
  const rows = files.flatMap(rowsOf);
  const extra = [...new Set(rows.flatMap((row) => [...row.keys()]))]
    .filter((name) => !FIXED.includes(name))
    .sort();
  const header = [...FIXED, ...extra];
  const first = stamp === null ? [] : [stamp];
  return csvText(
    [...first.map(() => 'stamp'), ...header],
    rows.map((row) => [...first, ...header.map((name) => row.get(name))]),
  );
}

function rowsOf(file: SampleFile): Cells[] {
  const slash = file.path.lastIndexOf('/');
  let about: Json = {};
  const rows: Cells[] = [];
  file.text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return;
    const reading = parse(line);
    if (reading && 'sampler' in reading) {
      about = reading;
      return;
    }
    const cells: Cells = new Map<string, Field>([
      ['trial_folder', file.path.slice(0, slash)],
      ['file', file.path.slice(slash + 1)],
      ['line', i + 1],
      ['malformed', reading ? null : true],
      ['hz', scalar(about['hz'])],
      ['cores', scalar(about['ncpu'])],
      ['device', scalar(about['device'])],
    ]);
    if (reading) addReading(cells, reading);
    rows.push(cells);
  });
  return rows;
}

function addReading(cells: Cells, reading: Json): void {
  cells.set('read_start_epoch_s', scalar(reading['w0']));
  cells.set('read_end_epoch_s', scalar(reading['w1']));
  cells.set('read_start_uptime_s', scalar(reading['u0']));
  cells.set('read_end_uptime_s', scalar(reading['u1']));
  list(reading['cpu']).forEach((ticks, i) => cells.set(`cpu_${CPU[i] ?? i}_ticks`, scalar(ticks)));
  for (const [key, name] of Object.entries(DISK)) cells.set(name, scalar(object(reading['disk'])[key]));
  cells.set('dirty_kib', scalar(reading['dirty']));
  cells.set('writeback_kib', scalar(reading['wb']));
  const psi = object(reading['psi']);
  for (const key of ['cpu', 'io', 'mem']) cells.set(`psi_${key}_some_us`, scalar(psi[key]));
  cells.set('cgroup_throttled_us', scalar(object(reading['cg'])['throttledUsec']));
  for (const [name, pair] of Object.entries(object(reading['net']))) {
    addEach(cells, `net_${name}`, ['received_bytes', 'sent_bytes'], list(pair));
  }
  for (const [name, times] of Object.entries(object(reading['proc']))) {
    addEach(cells, `process_${name}`, ['user_ticks', 'system_ticks', 'start_ticks'], list(times));
  }
}

function addEach(cells: Cells, prefix: string, names: readonly string[], values: readonly unknown[]): void {
  names.forEach((name, i) => cells.set(`${prefix}_${name}`, scalar(values[i])));
}

function parse(line: string): Json | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function scalar(value: unknown): Field {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
