import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mean } from '../src/analysis/statistics/describe.ts';
import type { Plan } from '../src/design/plan.ts';
import type { ExperimentResult } from '../src/temporal/status.ts';
import { type PrivateHome, privateHome } from '../test/support/private-home.ts';
import type { Benchmark, BenchmarkContext, Finding } from './benchmark.ts';
import { cleanedUp } from './interrupt.ts';
import { table } from './page.ts';
import { inPairs, pairedRatio, ratioText, spreadText } from './pairs.ts';
import { spentByAssay, spentByScript, type TimeSpent } from './phases.ts';
import { preparePlain } from './plain-lab.ts';
import { type Ended, run, runWell } from './run.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ASSAY = join(HERE, '..', 'bin', 'assay.js');
const SPEC = join(HERE, 'whole-run.yaml');
const SCRIPT = join(HERE, 'plain.sh');
/** A complete experiment: 4 = it has too few blocks to decide anything, which is not asked here. */
const COMPLETE = [0, 4];

export interface WholeRun {
  readonly wallMs: number;
  readonly spent: TimeSpent;
}

/** (a) Ten trials under Assay against ten trials by a script. */
export const wholeRun: Benchmark = {
  key: 'a',
  title: 'Ten trials under Assay and by a plain script',
  async run(context) {
    const own = await privateHome();
    const end = async () => {
      await assay(own, ['down']).catch(() => undefined);
      own.remove();
    };
    return cleanedUp(end, () => compare(own, context));
  },
};

async function compare(own: PrivateHome, { quick, say }: BenchmarkContext): Promise<Finding> {
  say('a: one small run first: it fetches what is fetched once');
  await runExperiment(own, 'first', ['--set', 'design.blocks=1']);
  await assay(own, ['down']);
  const blocks = quick ? ['--set', 'design.blocks=1'] : [];
  const planned = await assay(own, ['plan', SPEC, '--json', ...blocks]);
  const plan = JSON.parse(planned.stdout) as Plan;
  const pairs = await inPairs(
    quick ? 2 : 6,
    async (pair) => said(say, `pair ${pair + 1}: Assay`, await byAssay(own, `whole-${pair + 1}`, blocks)),
    async (pair) => said(say, `pair ${pair + 1}: script`, await byScript(own, plan)),
  );
  return findingOf(pairs);
}

/** What the pairs say: the walls, their ratio, and where the time went. */
export function findingOf(pairs: readonly { first: WholeRun; second: WholeRun }[]): Finding {
  const walls = pairs.map((p) => ({ first: p.first.wallMs, second: p.second.wallMs }));
  const ratio = pairedRatio(walls);
  const seconds = (values: readonly number[]) =>
    spreadText(
      values.map((v) => v / 1000),
      1,
    );
  const markdown = [
    table(
      ['', 'wall time of the whole, s: median (least to most)'],
      [
        ['Assay', seconds(walls.map((w) => w.first))],
        ['script', seconds(walls.map((w) => w.second))],
        ['**Assay ÷ script**', `**${ratioText(ratio)}**`],
      ],
    ),
    `Where it goes, s (means over ${pairs.length} runs of ${pairs[0]?.first.spent.trials} measured trials each):`,
    whereTable(
      pairs.map((p) => p.first.spent),
      pairs.map((p) => p.second.spent),
    ),
  ].join('\n\n');
  return {
    markdown,
    targets: [
      { text: `Assay ÷ script at most 1.0 (point): ${ratio.ratio.toFixed(3)}`, met: ratio.ratio <= 1 },
    ],
  };
}

function said(say: BenchmarkContext['say'], what: string, run: WholeRun): WholeRun {
  say(`a: ${what} took ${(run.wallMs / 1000).toFixed(1)} s`);
  return run;
}

function assay(own: PrivateHome, args: readonly string[], codes: readonly number[] = [0]): Promise<Ended> {
  return runWell(process.execPath, [ASSAY, ...args], { env: own.env }, codes);
}

/** Interrupted, it takes the experiment and its brokers down before anything else goes. */
async function runExperiment(own: PrivateHome, id: string, options: readonly string[]): Promise<Ended> {
  let running = true;
  const abort = async () => {
    if (running) await run(process.execPath, [ASSAY, 'abort', id], { env: own.env });
  };
  return cleanedUp(abort, async () => {
    const ended = await assay(own, ['run', SPEC, '--id', id, '--json', ...options], COMPLETE);
    running = false;
    return ended;
  });
}

function resultOf({ stdout }: Ended): ExperimentResult & { resultsFolder: string } {
  const result = JSON.parse(stdout) as ExperimentResult;
  if (result.resultsFolder === null) throw new Error('the experiment has no results');
  return { ...result, resultsFolder: result.resultsFolder };
}

/** From nothing: the embedded Temporal and the worker are started, as on the first run of a day. */
async function byAssay(own: PrivateHome, id: string, options: readonly string[]): Promise<WholeRun> {
  const startedAtMs = Date.now();
  const ended = await runExperiment(own, id, options);
  const { outcome, leaks, resultsFolder } = resultOf(ended);
  if (outcome !== 'completed' || leaks.length > 0) throw new Error(`${id}: ${outcome}, ${leaks.join(', ')}`);
  const spent = spentByAssay(resultsFolder, startedAtMs, ended.wallMs);
  await assay(own, ['down']);
  return { wallMs: ended.wallMs, spent };
}

async function byScript(own: PrivateHome, plan: Plan): Promise<WholeRun> {
  const folder = await preparePlain(plan, own);
  const stop = new AbortController();
  let script: Promise<Ended> | null = null;
  const end = async () => {
    stop.abort();
    // It ends its brokers first.
    await script?.catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
  return cleanedUp(end, async () => {
    script = runWell('bash', [SCRIPT, folder], { signal: stop.signal });
    const { wallMs, stdout } = await script;
    return { wallMs, spent: spentByScript(stdout, wallMs) };
  });
}

function whereTable(assayRuns: readonly TimeSpent[], scriptRuns: readonly TimeSpent[]): string {
  const seconds = (ms: number | undefined) => (ms === undefined ? '–' : (ms / 1000).toFixed(2));
  const meanOver = (runs: readonly TimeSpent[], of: (run: TimeSpent) => number | undefined) => {
    const values = runs.map(of).filter((v) => v !== undefined);
    return values.length === 0 ? undefined : mean(values);
  };
  const row = (name: string, of: (run: TimeSpent) => number | undefined) => [
    name,
    seconds(meanOver(assayRuns, of)),
    seconds(meanOver(scriptRuns, of)),
  ];
  const phases = Object.keys(assayRuns[0]?.phasesMs ?? {});
  return table(
    ['', 'Assay', 'script'],
    [
      row('before the first trial, once', (run) => run.beforeMs),
      ...phases.map((phase) => row(`${phase}, each trial`, (run) => run.phasesMs[phase])),
      row('between trials and after the last, once', (run) => run.restMs),
    ],
  );
}
