import { mkdtempSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mean } from '../src/analysis/statistics/describe.ts';
import type { Sample } from '../src/measure/sample.ts';
import type { LabBench } from '../test/kill/support/lab-bench.ts';
import { type BenchLab, benchLab, producerCommand } from './bench-lab.ts';
import type { Benchmark, BenchmarkContext, Finding } from './benchmark.ts';
import { cleanedUp } from './interrupt.ts';
import { endSampler, startSampler } from './lab-sampler.ts';
import { table } from './page.ts';
import { percentile } from './pairs.ts';
import { sessionCpuNs } from './process-tree.ts';

const PERIOD_MS = 1_000;
/** Side by side, each for itself: a p99 needs a hundred intervals, and a quarter of the time gives them. */
const SAMPLERS = 4;
const CPU_SHARE = 0.001;
const P99_ERROR_MS = 5;
/** What a machine of two cores is given to do while the sampler is watched. */
const LOAD_RECORDS_PER_S = 20_000;

interface SamplerRun {
  /** Of one core. */
  readonly cpuShare: number;
  /** How far each interval between two samples is from a second. */
  readonly errorsMs: readonly number[];
  /** Cores that were busy on the whole machine, by the samples themselves. */
  readonly busyCores: number;
}

/** (c) What the sampler costs, and how exact its seconds are. */
export const samplerCost: Benchmark = {
  key: 'c',
  title: 'The sampler: cost and interval error',
  async run(context) {
    context.say('c: starting three brokers');
    const lab = benchLab();
    return cleanedUp(
      async () => (await lab).close(),
      async () => measure(await lab, context),
    );
  },
};

async function measure({ lab }: BenchLab, { quick, say }: BenchmarkContext): Promise<Finding> {
  const seconds = quick ? 10 : 29;
  say(`c: ${seconds} s with idle brokers`);
  const quiet = await sampled(lab, seconds);
  say(`c: ${seconds} s under load`);
  const loaded = await beside(lab, seconds, () => sampled(lab, seconds));
  const row = (name: string, run: SamplerRun) => [
    name,
    `${(run.cpuShare * 100).toFixed(3)} %`,
    `${percentile(run.errorsMs, 0.5).toFixed(2)} / ${percentile(run.errorsMs, 0.99).toFixed(2)} / ${Math.max(...run.errorsMs).toFixed(2)}`,
    String(run.errorsMs.length),
    run.busyCores.toFixed(2),
  ];
  const p99 = percentile(quiet.errorsMs, 0.99);
  return {
    markdown: table(
      [
        '',
        'CPU of its processes, share of one core',
        'error of an interval, ms: median / p99 / most',
        'n',
        'busy cores',
      ],
      [
        row('idle brokers', quiet),
        row(`a producer at ${LOAD_RECORDS_PER_S.toLocaleString('en')} records/s`, loaded),
      ],
    ),
    targets: [
      {
        text: `below ${CPU_SHARE * 100} % of a core with idle brokers: ${(quiet.cpuShare * 100).toFixed(3)} %`,
        met: quiet.cpuShare < CPU_SHARE,
      },
      {
        text: `p99 of the error below ${P99_ERROR_MS} ms with idle brokers: ${p99.toFixed(2)} ms`,
        met: p99 < P99_ERROR_MS,
      },
    ],
  };
}

/** Runs samplers as a trial does, each watching three brokers, and looks at them from outside at start and end only. */
async function sampled({ bench }: LabBench, seconds: number): Promise<SamplerRun> {
  const [target] = await bench.lab.samplerTargets();
  if (target === undefined) throw new Error('the lab has no machine to sample');
  const samplers = await Promise.all(
    Array.from({ length: SAMPLERS }, (_, i) => startSampler(bench, target, `sampler-${i + 1}-${Date.now()}`)),
  );
  // What its start costs is paid once a trial.
  await delay(2 * PERIOD_MS);
  const from = performance.now();
  const before = samplers.map(({ session }) => sessionCpuNs(session));
  await delay(seconds * PERIOD_MS);
  const cpuMs = samplers.map(({ session }, i) => (sessionCpuNs(session) - (before[i] ?? Number.NaN)) / 1e6);
  const wallMs = performance.now() - from;
  const seen = await Promise.all(samplers.map(({ name }) => endSampler(target.host, name)));
  return {
    cpuShare: mean(cpuMs) / wallMs,
    errorsMs: seen.flatMap(({ samples }) => errorsOf(samples)),
    busyCores: mean(seen.map(({ samples, hz }) => busyCoresOf(samples, hz))),
  };
}

function errorsOf(samples: readonly Sample[]): number[] {
  return samples.slice(1).map((sample, i) => {
    return Math.abs(sample.wallMs[0] - (samples[i]?.wallMs[0] ?? Number.NaN) - PERIOD_MS);
  });
}

/** Not idle and not waiting for a disk. */
function busyCoresOf(samples: readonly Sample[], ticksPerS: number): number {
  const busy = samples.slice(1).map((sample, i) => {
    const [now, then] = [sample.cpu, samples[i]?.cpu ?? null];
    if (now === null || then === null) return Number.NaN;
    const ticks = now.map((t, at) => t - (then[at] ?? 0));
    return ticks.reduce((sum, t) => sum + t, 0) - (ticks[3] ?? 0) - (ticks[4] ?? 0);
  });
  return mean(busy) / ticksPerS;
}

/** Does something while a producer writes; ends it afterwards. */
async function beside<T>({ bench }: LabBench, seconds: number, act: () => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(60_000 + seconds * 2_000);
  const scenario = bench.plan.scenarios[0];
  const [load] = scenario?.loads ?? [];
  const [topic] = scenario?.topics ?? [];
  if (load?.kind !== 'producer' || topic === undefined) throw new Error('the plan has no producer');
  await bench.lab.admin.createTopic({ ...topic, name: 'beside' }, signal);
  const records = LOAD_RECORDS_PER_S * (seconds + 15);
  const command = await producerCommand(
    bench,
    'beside',
    { ...load, recordsPerS: LOAD_RECORDS_PER_S },
    records,
  );
  const folder = mkdtempSync(join(tmpdir(), 'assay-beside-'));
  const [program = '', ...args] = command.argv;
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...command.env },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  try {
    await delay(5_000);
    if (child.exitCode !== null) throw new Error(`the load ended at once with ${child.exitCode}`);
    return await act();
  } finally {
    child.kill('SIGKILL');
    await ended;
    await bench.lab.admin.deleteTopic('beside', signal);
    rmSync(folder, { recursive: true, force: true });
  }
}
