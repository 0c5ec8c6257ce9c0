import { type AskedLoad, type BenchLab, benchLab, LIMITED_RECORDS_PER_S, type LoadRun } from './bench-lab.ts';
import type { Benchmark, BenchmarkContext, Finding } from './benchmark.ts';
import { cleanedUp } from './interrupt.ts';
import { table } from './page.ts';
import { inPairs, type Pair, type PairedRatio, pairedRatio, ratioText, spreadText } from './pairs.ts';
import { type Switchback, switchback } from './switchback.ts';

/** Inside this samplers cost the client nothing that matters. */
const CPU_FROM = 0.98;
const CPU_TO = 1.02;
/** How much of everything. */
const FULL = { seconds: 5, freeRecords: 150_000, pairs: 6, freePairs: 2, switches: 200 };
const QUICK = { seconds: 4, freeRecords: 75_000, pairs: 3, freePairs: 2, switches: 20 };

interface RunPair {
  readonly first: LoadRun;
  readonly second: LoadRun;
}
type RunPairs = readonly RunPair[];
type Say = BenchmarkContext['say'];

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
  const { seconds, freeRecords, pairs, freePairs, switches } = quick ? QUICK : FULL;
  const limited = { limited: true, records: LIMITED_RECORDS_PER_S * seconds };
  const free = { limited: false, records: freeRecords };
  say('b: warming the brokers up');
  await lab.plain(free);
  await limitedRuns(lab, limited, 1, (text) => say(`${text} (warms up, not counted)`));
  const { samplers, all } = await limitedRuns(lab, limited, pairs, say);
  const unthrottled = await inPairs(
    freePairs,
    async (pair) => shown(say, pair, 'samplers', await lab.trial(free, 'samplers')),
    async (pair) => shown(say, pair, 'no samplers', await lab.trial(free, 'no samplers')),
  );
  const beside = await switchback(lab, switches, say);
  const asked = `${LIMITED_RECORDS_PER_S.toLocaleString('en')} records/s of 512 B for ${seconds} s; unthrottled: ${freeRecords.toLocaleString('en')} records`;
  return findingOf(asked, { beside, samplers, unthrottled, all });
}

/**
 * Trials with samplers and without, in turn; beside half of those with samplers, on the side where their partner is not, the
 * tool by bash: before it as often as after it.
 *
 * @returns `samplers`: with and without them; `all`: with all instruments and with none, which shares its first sides.
 */
async function limitedRuns(
  lab: BenchLab,
  asked: AskedLoad,
  n: number,
  say: Say,
): Promise<{ samplers: RunPairs; all: RunPairs }> {
  const all: RunPair[] = [];
  const plain = async (pair: number) => shown(say, pair, 'plain', await lab.plain(asked));
  const sampled = async (pair: number) => shown(say, pair, 'samplers', await lab.trial(asked, 'samplers'));
  const unsampled = async (pair: number) =>
    shown(say, pair, 'no samplers', await lab.trial(asked, 'no samplers'));
  const besidePlain = async (pair: number) => {
    const before = pair % 4 === 0 ? await plain(pair) : null;
    const first = await sampled(pair);
    const second = pair % 4 === 1 ? await plain(pair) : before;
    if (second !== null) all.push({ first, second });
    return first;
  };
  return { samplers: await inPairs(n, besidePlain, unsampled), all };
}

interface Compared {
  readonly beside: Switchback;
  readonly samplers: RunPairs;
  readonly unthrottled: RunPairs;
  readonly all: RunPairs;
}

/** Three questions, each with its table; only the first has a bound. */
export function findingOf(asked: string, { beside, samplers, unthrottled, all }: Compared): Finding {
  const cpu = pairedRatio(beside.pairs);
  return {
    markdown: [
      table(
        ['one load, a sampler on and off', 'with', 'without', 'with ÷ without'],
        [besideRow(beside, cpu)],
      ),
      `Samples in those seconds that saw the tool: ${beside.samples}.`,
      `Rate-limited: ${asked}. Median (least to most); ratios with their 95 % interval.`,
      table(
        ['samplers', 'with', 'without', 'with ÷ without'],
        [
          ...limitedRows(samplers),
          row('unthrottled: records/s', unthrottled, (run) => run.recordsPerS, 0),
          row('unthrottled: CPU of the tool’s process, s', unthrottled, (run) => run.cpuMs / 1000, 2),
        ],
      ),
      table(['all instruments', 'with', 'without', 'with ÷ without'], limitedRows(all)),
    ].join('\n\n'),
    targets: [
      {
        text: `samplers: interval of the CPU ratio inside [${CPU_FROM}, ${CPU_TO}]: ${ratioText(cpu)}`,
        met: cpu.low >= CPU_FROM && cpu.high <= CPU_TO,
      },
    ],
  };
}

function besideRow({ pairs }: Switchback, ratio: PairedRatio): readonly string[] {
  const spread = (side: keyof Pair) =>
    spreadText(
      pairs.map((pair) => pair[side]),
      0,
    );
  return ['CPU of the tool’s process, ms in a second', spread('first'), spread('second'), ratioText(ratio)];
}

function limitedRows(pairs: RunPairs): readonly (readonly string[])[] {
  return [
    row('rate that was kept, records/s', pairs, (run) => run.recordsPerS, 0),
    row('p99 latency, ms', pairs, (run) => run.p99Ms, 0),
    row('mean latency, ms', pairs, (run) => run.avgMs, 2),
    row('CPU of the tool’s process, s', pairs, (run) => run.cpuMs / 1000, 2),
  ];
}

function shown(say: Say, pair: number, how: string, run: LoadRun): LoadRun {
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
