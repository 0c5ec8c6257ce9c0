import type { ConsumerFigures, LoadRecord } from '../measure/trial-record.ts';
import { loadFiles } from '../store/attempt-files.ts';
import { cores, number, percent, type Places, rateRows, type Row, rows } from './trial-numbers.ts';
import { bytesText, durationText, rateText, shellWord } from './words.ts';

/** One load of a trial: its numbers with their files, and the exact command. Pure. */
export function loadLines(load: LoadRecord, at: Places): string[] {
  const names = loadFiles(load.name);
  const file = (name: string) => `${at.trial}/${name}`;
  const { latencyMs: latency, stderrCutBytes: cut } = load;
  const lost = cut > 0 ? `; ${bytesText(cut)} of its stderr were cut` : '';
  return [
    `Load ${load.name}: a ${load.kind} at ${load.topic}${paceText(load)}`,
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
      ...(load.consumer === undefined
        ? [['failed sends', `${number(load.failedCallbacks)}${lost}`, file(names.stderr)] as const]
        : consumerRows(load.consumer, file(names.stdout), at.samples)),
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

/** What only a consumer has: its own times, and where it found its records. */
function consumerRows(figures: ConsumerFigures, stdout: string, samples: string): Row[] {
  const { elapsedMs, rebalanceMs, fetchMs, fetchRecordsPerS, totalRateWhy, cache, diskReadShare } = figures;
  const ms = (value: number | null) => (value === null ? 'unknown' : durationText(value));
  return [
    ['times', `${ms(elapsedMs)} in all, ${ms(rebalanceMs)} to join, ${ms(fetchMs)} of fetching`, stdout],
    ['fetch rate', fetchRecordsPerS === null ? 'none' : rateText(fetchRecordsPerS), stdout],
    ...(totalRateWhy === null ? [] : [['total rate', `not to be used: ${totalRateWhy}`, stdout] as const]),
    ['cache', `${cache ?? 'unknown'}; ${percent(diskReadShare)} of the bytes came from the disk`, samples],
  ];
}

function paceText({ askedRecordsPerS }: LoadRecord): string {
  return askedRecordsPerS == null ? '' : `, asked to keep ${rateText(askedRecordsPerS)}`;
}
