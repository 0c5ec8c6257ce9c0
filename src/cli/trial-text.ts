import { type Reason, type ReasonCode, REASONS } from '../measure/reasons.ts';
import type { LoadRecord, SettleOutcome, SteadyRate, TrialRecord } from '../measure/trial-record.ts';
import { visible } from '../spec/visible.ts';
import { EVIDENCE, loadFiles, samplesFile } from '../store/attempt-files.ts';
import { bytesText, durationText, rateText, shellWord } from './words.ts';

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
      ...record.offsets.map(
        ({ topic, asked, claimed, inLog }): Row => [
          `log of ${topic}`,
          `${number(inLog)} records in the log, ${number(claimed)} claimed, ${number(asked)} asked`,
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

interface Places {
  /** `trials/b1/x/a1`. */
  readonly trial: string;
  readonly loads: readonly string[];
  readonly samples: string;
  /** What was only to be seen while it ran. */
  readonly observed: string;
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

type Row = readonly [what: string, value: string, from: string];

function rows(all: readonly Row[]): string[] {
  const width = Math.max(0, ...all.map(([what]) => what.length));
  return all.map(
    ([what, value, from]) => `  ${what.padEnd(width)}  ${value}\n  ${' '.repeat(width)}    ← ${from}`,
  );
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

function rateRows(what: string, rate: SteadyRate | null, from: string): Row[] {
  if (rate === null) return [[what, 'none: there is no steady window', from]];
  const { recordsPerS, bytesPerS, windowMs, intervals, stalls, over } = rate;
  const where = `${over === 'own' ? 'its own' : 'the common'} window of ${(windowMs / 1000).toFixed(1)} s`;
  const lines = `${intervals} intervals, ${stalls} ${stalls === 1 ? 'stall' : 'stalls'}`;
  return [[what, `${rateText(recordsPerS)}, ${bytesText(bytesPerS)}/s over ${where} (${lines})`, from]];
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

function loadLines(load: LoadRecord, at: Places): string[] {
  const names = loadFiles(load.name);
  const file = (name: string) => `${at.trial}/${name}`;
  const { latencyMs: latency, stderrCutBytes: cut } = load;
  const lost = cut > 0 ? `; ${bytesText(cut)} of its stderr were cut` : '';
  return [
    `Load ${load.name}: a ${load.kind} at ${load.topic}`,
    ...rows([
      ['records', `${number(load.finalCount)} of ${number(load.asked)} asked`, file(names.stdout)],
      ...rateRows('steady rate', load.steady, file(names.stdout)),
      [
        'total rate',
        load.totalRecordsPerS === null ? 'none' : rateText(load.totalRecordsPerS),
        file(names.stdout),
      ],
      ...(latency == null
        ? []
        : [
            [
              'latency',
              `p50 ${latency.p50} ms, p95 ${latency.p95} ms, p99 ${latency.p99} ms, p99.9 ${latency.p999} ms, max ${latency.max} ms (whole load)`,
              file(names.stdout),
            ] as const,
          ]),
      ['failed sends', `${number(load.failedCallbacks)}${lost}`, file(names.stderr)],
      [
        'exit code',
        load.exitCode === null ? 'none: it was ended or lost' : String(load.exitCode),
        file(names.end),
      ],
      ['CPU', `${cores(load.cpuCores)} cores`, at.samples],
    ]),
    '  exact command',
    `    ${load.command.length === 0 ? 'none: it was never started' : load.command.map(shellWord).join(' ')}`,
  ];
}

function number(value: number | null): string {
  return value === null ? 'unknown' : value.toLocaleString('en-US');
}

function cores(value: number | null): string {
  return value === null ? 'unknown' : value.toFixed(2);
}

function percent(share: number | null): string {
  return share === null ? 'unknown' : `${(share * 100).toFixed(1)} %`;
}
