import { type BenchLab, benchLab, LIMITED_RECORDS_PER_S, type LoadRun } from './bench-lab.ts';
import type { Benchmark, BenchmarkContext, Finding } from './benchmark.ts';
import { cleanedUp } from './interrupt.ts';
import { table } from './page.ts';
import { inTurn, type PairedRatio, pairedRatio, ratioText, spreadText } from './pairs.ts';

/** Inside this the instruments cost the client nothing that matters. */
const CPU_FROM = 0.98;
const CPU_TO = 1.02;
const FREE_RECORDS = 300_000;

type RunPairs = readonly { readonly first: LoadRun; readonly second: LoadRun }[];

/** (b) The same load with all instruments and with none. */
export const instruments: Benchmark = {
  key: 'b',
  title: 'A load with Assay’s instruments and without',
  async run(context) {
    context.say('b: starting three brokers');
    const lab = benchLab();
    return cleanedUp(
      async () => (await lab).close(),
      async () => compare(await lab, context),
    );
  },
};

async function compare(lab: BenchLab, { quick, say }: BenchmarkContext): Promise<Finding> {
  const records = LIMITED_RECORDS_PER_S * (quick ? 5 : 8);
  const freeRecords = quick ? FREE_RECORDS / 4 : FREE_RECORDS;
  const inPairs = (n: number, limited: boolean, count: number) =>
    inTurn(
      n,
      async (pair) => shown(say, pair, 'with', await lab.withInstruments(limited, count)),
      async (pair) => shown(say, pair, 'alone', await lab.alone(limited, count)),
    );
  say('b: warming the brokers up');
  await lab.alone(false, freeRecords);
  await lab.alone(true, records);
  const limited = await inPairs(quick ? 3 : 8, true, records);
  const free = await inPairs(quick ? 2 : 4, false, freeRecords);
  const cpu = ratioOf(limited, (run) => run.cpuMs);
  const rows = [
    row('rate that was kept, records/s', limited, (run) => run.recordsPerS, 0),
    row('p99 latency, ms', limited, (run) => run.p99Ms, 0),
    row('mean latency, ms', limited, (run) => run.avgMs, 2),
    row('CPU of the tool’s process, s', limited, (run) => run.cpuMs / 1000, 2),
    row('unthrottled: records/s', free, (run) => run.recordsPerS, 0),
    row('unthrottled: CPU of the tool’s process, s', free, (run) => run.cpuMs / 1000, 2),
  ];
  const limit = `${LIMITED_RECORDS_PER_S.toLocaleString('en')} records/s of 512 B for ${records / LIMITED_RECORDS_PER_S} s; unthrottled: ${freeRecords.toLocaleString('en')} records.`;
  return {
    markdown: [
      `Rate-limited: ${limit} Median (least to most); ratios with their 95 % interval.`,
      table(['', 'with', 'without', 'with ÷ without'], rows),
    ].join('\n\n'),
    targets: [
      {
        text: `interval of the CPU ratio inside [${CPU_FROM}, ${CPU_TO}]: ${ratioText(cpu)}`,
        met: cpu.low >= CPU_FROM && cpu.high <= CPU_TO,
      },
    ],
  };
}

function shown(say: BenchmarkContext['say'], pair: number, how: string, run: LoadRun): LoadRun {
  const { p99Ms, cpuMs, recordsPerS } = run;
  say(
    `b: pair ${pair + 1} ${how}: p99 ${p99Ms} ms, CPU ${(cpuMs / 1000).toFixed(2)} s, ${recordsPerS.toFixed(0)}/s`,
  );
  return run;
}

function ratioOf(pairs: RunPairs, of: (run: LoadRun) => number): PairedRatio {
  return pairedRatio(pairs.map(({ first, second }) => ({ first: of(first), second: of(second) })));
}

function row(name: string, pairs: RunPairs, of: (run: LoadRun) => number, digits: number): readonly string[] {
  const spread = (side: 'first' | 'second') =>
    spreadText(
      pairs.map((pair) => of(pair[side])),
      digits,
    );
  return [name, spread('first'), spread('second'), ratioText(ratioOf(pairs, of))];
}
