import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../src/analysis/statistics/describe.ts';
import type { Benchmark, BenchmarkContext, Finding } from './benchmark.ts';
import { cleanedUp } from './interrupt.ts';
import { type LogKind, makeLog } from './make-log.ts';
import { table } from './page.ts';
import { spreadText } from './pairs.ts';
import type { LogRead } from './read-log.ts';
import { runWell } from './run.ts';

const READER = fileURLToPath(new URL('read-log.ts', import.meta.url));
const MB = 1_000_000;
const MIB = 1024 ** 2;
const TARGET_MB_PER_S = 100;
/** What each kind must be judged: the text holds failed sends. */
const VERDICTS: Readonly<Record<LogKind, string>> = { intervals: 'valid', text: 'invalid', stamped: 'valid' };
/** Ten times the log may cost this much more memory: what the garbage collector leaves lying. */
const FLAT = 1.25;

const KINDS: Readonly<Record<LogKind, string>> = {
  intervals: 'interval lines, parse and verdict (`assay inspect`)',
  text: 'log text on stderr, parse and verdict (`assay inspect --stderr`)',
  stamped: 'stamped interval lines, parse only (every line is kept, up to 200,000)',
};

interface Log {
  readonly kind: LogKind;
  readonly sizeMb: number;
  readonly file: string;
  readonly records: number;
  readonly reads: LogRead[];
}

/** (d) Parsing and judging long logs: speed and memory. */
export const logReading: Benchmark = {
  key: 'd',
  title: 'Parse and verdict of a 100 MB log',
  async run(context) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-logs-'));
    return cleanedUp(
      async () => rmSync(folder, { recursive: true, force: true }),
      () => measure(folder, context),
    );
  },
};

async function measure(folder: string, { quick, say }: BenchmarkContext): Promise<Finding> {
  const n = quick ? 2 : 4;
  say('d: writing the logs');
  const logs = (Object.keys(KINDS) as LogKind[]).flatMap((kind) =>
    [10, 100].map((sizeMb): Log => {
      const file = join(folder, `${kind}-${sizeMb}.log`);
      return { kind, sizeMb, file, records: makeLog(file, kind, sizeMb * MB), reads: [] };
    }),
  );
  for (let i = 0; i < n; i += 1) for (const log of logs) log.reads.push(await read(log));
  const of = (kind: LogKind, sizeMb: number) =>
    logs.find((l) => l.kind === kind && l.sizeMb === sizeMb) as Log;
  const rows = logs.map((log) => [
    KINDS[log.kind],
    `${log.sizeMb} MB`,
    spreadText(
      speeds(log, (r) => r.tookMs),
      0,
    ),
    spreadText(
      speeds(log, (r) => r.cpuMs),
      0,
    ),
    spreadText(
      log.reads.map((r) => r.peakBytes / MIB),
      0,
    ),
    String(n),
  ]);
  return {
    markdown: table(
      ['log', 'size', 'MB/s: median (least to most)', 'MB per CPU second', 'peak memory, MiB', 'n'],
      rows,
    ),
    targets: (['intervals', 'text'] as const).flatMap((kind) => targetsOf(of(kind, 10), of(kind, 100))),
  };
}

async function read({ kind, file, records, sizeMb }: Log): Promise<LogRead> {
  const { stdout } = await runWell(process.execPath, [READER, kind, file, String(records)]);
  const one = JSON.parse(stdout) as LogRead;
  if (one.verdict !== VERDICTS[kind])
    throw new Error(`the ${sizeMb} MB log of ${kind} is judged ${one.verdict}`);
  return one;
}

function speeds({ file, reads }: Log, timeMs: (read: LogRead) => number): number[] {
  const { size } = statSync(file);
  return reads.map((r) => size / MB / (timeMs(r) / 1000));
}

function targetsOf(small: Log, large: Log): Finding['targets'] {
  const speed = median(speeds(large, (r) => r.tookMs));
  const growth = median(large.reads.map((r) => r.peakBytes)) / median(small.reads.map((r) => r.peakBytes));
  return [
    {
      text: `${large.kind}: at least ${TARGET_MB_PER_S} MB/s: ${speed.toFixed(0)} MB/s`,
      met: speed >= TARGET_MB_PER_S,
    },
    {
      text: `${large.kind}: memory is flat (100 MB ÷ 10 MB at most ${FLAT}): ${growth.toFixed(2)}`,
      met: growth <= FLAT,
    },
  ];
}
