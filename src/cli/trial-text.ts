import { type Reason, type ReasonCode, REASONS } from '../measure/reasons.ts';
import type { MetricValue, SettleOutcome, TrialRecord } from '../measure/trial-record.ts';
import { visible } from '../spec/visible.ts';
import { EVIDENCE, loadFiles, samplesFile } from '../store/attempt-files.ts';
import { loadLines } from './trial-load-text.ts';
import { cores, number, percent, type Places, rateRows, type Row, rows } from './trial-numbers.ts';
import { bytesText, durationText, rateText } from './words.ts';

/** Trials as text for a terminal. Pure. */

/** One attempt in a list; a null verdict means that none was reached. */
export interface TrialRow {
  readonly id: string;
  readonly valid: boolean | null;
  readonly position: number | null;
  readonly startedAt: string | null;
  readonly recordsPerS: number | null;
  readonly reasons: readonly ReasonCode[];
  readonly flags: readonly string[];
}

/** The row of an attempt; `record` null = it ended before it had one. */
export function trialRow(id: string, record: TrialRecord | null): TrialRow {
  return {
    id,
    valid: record?.verdict.valid ?? null,
    position: record?.position ?? null,
    startedAt: record?.startedAt ?? null,
    recordsPerS: record?.rate?.recordsPerS ?? null,
    reasons: record?.verdict.reasons.map(({ code }) => code) ?? [],
    flags: record?.verdict.flags.map(({ code }) => code) ?? [],
  };
}

export function trialTable(rows: readonly TrialRow[]): string {
  const width = Math.max(...rows.map(({ id }) => id.length));
  const lines = rows.map((row) => {
    const rate = row.recordsPerS === null ? '–' : rateText(row.recordsPerS);
    const why = row.valid === null ? 'no verdict: collecting was cut short' : row.reasons.join(', ');
    const flags = row.flags.length === 0 ? '' : `⚑ ${row.flags.join(', ')}`;
    return `${mark(row.valid)} ${row.id.padEnd(width)}  ${rate.padStart(19)}  ${[why, flags].filter(Boolean).join('  ')}`;
  });
  return `${visible(lines.map((line) => line.trimEnd()).join('\n'))}\n`;
}

function mark(valid: boolean | null): string {
  return valid === null ? '!' : valid ? '✓' : '✗';
}

/** Where a trial's files are. */
export interface Kept {
  /** The results folder. */
  readonly folder: string;
  /** Every file of the store. */
  readonly files: readonly string[];
}

/** One attempt with its evidence: the verdict, each number with the file that it comes from, the exact commands. */
export function trialText(record: TrialRecord, kept: Kept): string {
  const { verdict, settle, drain, raw } = record;
  const at = placesOf(record, kept);
  const lines = [
    `${mark(verdict.valid)} ${record.id}  ${verdict.valid ? 'valid' : 'VOID: enters no estimate'}`,
    ...verdict.reasons.map((reason) => `  ✗ ${reasonText(reason)}`),
    ...verdict.flags.map(({ code, message }) => `  ⚑ ${code}: ${message}`),
    `  position ${record.position} in its block, from ${record.startedAt} to ${record.endedAt}`,
    `  phases  ${phasesText(record.phasesMs)}`,
    '',
    `Numbers, each with its file in ${kept.folder}`,
    ...rows([
      ...rateRows('rate', record.rate, at.loads.join(' ')),
      ...settleRows('settle', settle, at.observed),
      ...settleRows('drain', drain, at.observed),
      ...metricRows(record, at),
      ...record.offsets.map(
        ({ topic, asked, claimed, inLog, filled }): Row => [
          `log of ${topic}`,
          `${number(inLog)} records in the log, ${number(claimed)} claimed, ${number(asked)} asked${filled === undefined ? '' : `; ${number(filled)} were filled in before`}`,
          at.observed,
        ],
      ),
      ...machineRows(record, at.samples),
    ]),
    ...record.loads.flatMap((load) => ['', ...loadLines(load, at)]),
    '',
    'Raw files',
    ...raw.map(({ path, bytes, sha256 }) => `  ${at.trial}/${path}  ${bytesText(bytes)}  sha256 ${sha256}`),
  ];
  return `${visible(lines.join('\n'))}\n`;
}

function placesOf(record: TrialRecord, { files }: Kept): Places {
  const trial = `trials/${record.id}`;
  const evidence = `${trial}/${EVIDENCE}`;
  const history = `histories/${record.id.replace(/\/(a\d+)$/, '.$1')}.json`;
  return {
    trial,
    loads: record.loads.map(({ name }) => `${trial}/${loadFiles(name).stdout}`),
    samples: `${trial}/${samplesFile(0)}`,
    observed: [evidence, history].find((path) => files.includes(path)) ?? `${trial}/trial.json`,
  };
}

function reasonText({ code, class: kind, message }: Reason): string {
  const says = REASONS[code]?.says ?? 'unknown to this version';
  return `${code} (${kind}): ${says}: ${message}`;
}

function phasesText(phasesMs: TrialRecord['phasesMs']): string {
  return Object.entries(phasesMs)
    .map(([phase, ms]) => `${phase} ${durationText(ms)}`)
    .join(', ');
}

function settleRows(what: string, outcome: SettleOutcome | null, from: string): Row[] {
  if (outcome === null) return [];
  return [[what, `${outcome.outcome} after ${durationText(outcome.tookMs)} (${outcome.method})`, from]];
}

function machineRows({ host }: TrialRecord, from: string): Row[] {
  if (host === null) return [];
  const brokers = Object.entries(host.brokerCores).map(([name, used]) => `${name} ${cores(used)}`);
  const dirty = host.dirtyBytesMax === null ? 'unknown' : bytesText(host.dirtyBytesMax);
  return [
    ['samples', `${host.samples}, covering ${percent(host.coverage)} of the window`, from],
    ['busy cores', `${cores(host.busyCores)} in all; brokers: ${brokers.join(', ') || 'none'}`, from],
    ['outside the lab', `${percent(host.outsideLabShare)}; stolen ${percent(host.stealShare)}`, from],
    ['dirty memory', `at most ${dirty}`, from],
  ];
}

/** Every metric but the rate, which stands above with its window. */
function metricRows({ values = {}, id }: TrialRecord, at: Places): Row[] {
  return Object.entries(values).flatMap(([metric, { value, unit, over, loads, why }]): Row[] => {
    if (metric === 'rate') return [];
    const files = loads.map((name) => `trials/${id}/${loadFiles(name).stdout}`).join(' ');
    const said = value === null ? `none: ${why ?? 'not known'}` : `${metricText(value, unit)} (${over})`;
    return [[metric, said, files === '' ? `${at.trial}/trial.json` : files]];
  });
}

function metricText(value: number, unit: MetricValue['unit']): string {
  if (unit === 'records/s') return rateText(value);
  if (unit === 'bytes/s') return `${bytesText(value)}/s`;
  return unit === 'share' ? percent(value) : `${Number(value.toPrecision(4))} ms`;
}
