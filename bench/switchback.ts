import { setTimeout as delay } from 'node:timers/promises';
import { LOAD_PREFIX } from '../src/measure/sampled-processes.ts';
import { type BenchLab, LIMITED_RECORDS_PER_S } from './bench-lab.ts';
import { endSampler, startSampler } from './lab-sampler.ts';
import { byCoin, inPairs, type Pair } from './pairs.ts';
import { sessionPids, threadsClock } from './process-tree.ts';

/** The tool's start and its compiler are over by then. */
const WARM_MS = 15_000;
/** A sampler samples once in it; and shorter than that a machine that others share does not often change its speed. */
const PERIOD_MS = 1_000;
/** Of the load, after the last period. */
const SPARE_MS = 5_000;

export interface Switchback {
  /** CPU of the tool, ms for each second: first with a sampler, second without. */
  readonly pairs: readonly Pair[];
  /** Samples that saw the tool, in all seconds with a sampler together. */
  readonly samples: number;
}

/**
 * One rate-limited load, beside which a sampler is let run for a second and held for a second (SIGCONT, SIGSTOP), which is
 * first in a pair by the toss of a coin: what recurs every few seconds cannot fall on one side. It is one process of the
 * tool on both sides: no start, no compiler and no other heap is in the difference, and of a machine that changes its speed
 * only what it changes within two seconds.
 *
 * Design: switchback experiment of one unit (Bojinov, Simchi-Levi, Zhao, Management Science 69(7), 2023).
 *
 * @param n pairs of seconds.
 */
export async function switchback(lab: BenchLab, n: number, say: (text: string) => void): Promise<Switchback> {
  const lastsMs = WARM_MS + n * 2 * PERIOD_MS * 1.01 + SPARE_MS;
  return lab.beside(Math.ceil((lastsMs / 1_000) * LIMITED_RECORDS_PER_S), async (toolPid) => {
    say(
      `b: one load of ${Math.round(lastsMs / 1_000)} s: ${n} pairs of a second with a sampler and one without`,
    );
    return switched(lab, toolPid, n);
  });
}

async function switched({ lab: { bench } }: BenchLab, toolPid: number, n: number): Promise<Switchback> {
  const tool = `${LOAD_PREFIX}p`;
  const [target] = await bench.lab.samplerTargets();
  if (target === undefined) throw new Error('the lab has no machine to sample');
  const { name, session } = await startSampler(bench, target, 'switchback', { [tool]: toolPid });
  await delay(WARM_MS);
  const pids = sessionPids(session);
  const signal = (what: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of pids) process.kill(pid, what);
  };
  const cpu = threadsClock(toolPid);
  const fromMs = Date.now();
  const pairs = await inPairs(
    n,
    () => (signal('SIGCONT'), period(cpu)),
    () => (signal('SIGSTOP'), period(cpu)),
    byCoin,
  ).finally(() => signal('SIGCONT'));
  const untilMs = Date.now();
  const { samples } = await endSampler(target.host, name);
  const seen = samples.filter(
    ({ wallMs, processes }) => wallMs[0] >= fromMs && wallMs[0] <= untilMs && processes[tool] != null,
  ).length;
  if (seen < n * 0.95) throw new Error(`the sampler saw the tool ${seen} times in ${n} s`);
  return { pairs, samples: seen };
}

async function period(cpuNs: () => number): Promise<number> {
  const [from, before] = [performance.now(), cpuNs()];
  await delay(PERIOD_MS);
  return (cpuNs() - before) / 1e3 / (performance.now() - from);
}
