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

/** (b) The same load with samplers and without; and what all instruments of a trial cost together. */
export const instruments: Benchmark = {
  key: 'b',
  title: 'A load with samplers and without, and with all instruments',
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
  const records = LIMITED_RECORDS_PER_S * (quick ? 4 : 6);
  const freeRecords = quick ? FREE_RECORDS / 4 : FREE_RECORDS;
  const bare = (limited: boolean, count: number) => async (pair: number) =>
    shown(say, pair, 'plain', await lab.plain(limited, count, false));
  const sampled = (limited: boolean, count: number) => async (pair: number) =>
    shown(say, pair, 'sampled', await lab.plain(limited, count, true));
  say('b: warming the brokers up');
  await lab.plain(false, freeRecords, true);
  await lab.plain(true, records, true);
  const limited = await inTurn(quick ? 3 : 16, sampled(true, records), bare(true, records));
  const free = await inTurn(quick ? 2 : 3, sampled(false, freeRecords), bare(false, freeRecords));
  const all = await inTurn(
    quick ? 2 : 4,
    async (pair) => shown(say, pair, 'all', await lab.withInstruments(true, records)),
    bare(true, records),
  );
  const cpu = ratioOf(limited, (run) => run.cpuMs);
  const limit = `${LIMITED_RECORDS_PER_S.toLocaleString('en')} records/s of 512 B for ${records / LIMITED_RECORDS_PER_S} s; unthrottled: ${freeRecords.toLocaleString('en')} records.`;
  return {
    markdown: [
      `Rate-limited: ${limit} Median (least to most); ratios with their 95 % interval.`,
      table(
        ['with a sampler and without', 'with', 'without', 'with ÷ without'],
        [
          ...limitedRows(limited),
          row('unthrottled: records/s', free, (run) => run.recordsPerS, 0),
          row('unthrottled: CPU of the tool’s process, s', free, (run) => run.cpuMs / 1000, 2),
        ],
      ),
      table(['with all instruments and with none', 'with', 'without', 'with ÷ without'], limitedRows(all)),
    ].join('\n\n'),
    targets: [
      {
        text: `with a sampler and without: interval of the CPU ratio inside [${CPU_FROM}, ${CPU_TO}]: ${ratioText(cpu)}`,
        met: cpu.low >= CPU_FROM && cpu.high <= CPU_TO,
      },
    ],
  };
}

function limitedRows(pairs: RunPairs): readonly (readonly string[])[] {
  return [
    row('rate that was kept, records/s', pairs, (run) => run.recordsPerS, 0),
    row('p99 latency, ms', pairs, (run) => run.p99Ms, 0),
    row('mean latency, ms', pairs, (run) => run.avgMs, 2),
    row('CPU of the tool’s process, s', pairs, (run) => run.cpuMs / 1000, 2),
  ];
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
