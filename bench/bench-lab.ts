import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { trialCapsule } from '../src/design/names.ts';
import type { ProducerLoad } from '../src/design/plan.ts';
import { PRODUCER_MAIN, producerArguments } from '../src/lab/producer-command.ts';
import { until } from '../src/lab/wait.ts';
import type { ReasonCode } from '../src/measure/reasons.ts';
import { readSamples } from '../src/measure/sample.ts';
import { LOAD_PREFIX } from '../src/measure/sampled-processes.ts';
import { producerReader, type ProducerOutput } from '../src/measure/producer.ts';
import type { TrialRecord } from '../src/measure/trial-record.ts';
import type { LoadEnd } from '../src/measure/trial-evidence.ts';
import type { CapsuleExit } from '../src/lab/host.ts';
import { putPayload } from '../activities/payloads.ts';
import { environmentOf } from '../activities/bench.ts';
import { loadFiles } from '../src/store/attempt-files.ts';
import { trialFolder } from '../src/store/experiment-files.ts';
import { labBench, type LabBench } from '../test/kill/support/lab-bench.ts';
import { runWell } from './run.ts';

/** Three small brokers and one producer, at a rate that two cores keep easily, or as fast as it can. */
const SPEC = {
  assay: 1,
  name: 'instruments',
  question: 'What do the instruments cost?',
  // Apart: where brokers take the tool's core away and give it back, its CPU time differs by several per cent by itself.
  // C1 for the brokers: three that share a core compile for minutes, and a broker that answers later makes larger batches.
  lab: {
    brokers: { count: 3, heap: '512MiB', jit: 'c1' },
    clients: { count: 1, heap: '512MiB' },
    pin: true,
  },
  payload: { json: { lines: 20000, size: '512B', padding: '0%' } },
  topics: { main: { partitions: 6, replication: 3 } },
  producers: {
    p: {
      topic: 'main',
      for: '20s',
      rate: '16k/s',
      // So the number of requests follows the clock: else a broker that answers later makes larger batches, which cost less.
      config: { acks: 'all', 'linger.ms': '50ms', 'batch.size': '64KiB' },
    },
  },
  factors: { rate: { set: 'producers.p.rate', levels: ['16k/s', 'max'] } },
  design: { blocks: 6 },
  window: { ramp: '1s', min: '1s' },
  settle: { method: 'sync', quiet: '1s', drain: '0s' },
};
export const LIMITED_RECORDS_PER_S = 16_000;
/** Settling takes a trial about so long after its sync. */
const SETTLED_MS = 2_000;
const ATTEMPTS = 3;

/** What one load was, whoever ran it. */
export interface LoadRun {
  /** Whole milliseconds, as the tool prints percentiles. */
  readonly p99Ms: number;
  readonly avgMs: number;
  readonly recordsPerS: number;
  /** User + system time of the tool's process. */
  readonly cpuMs: number;
}

/** A load as the tool is asked for it. */
export interface AskedLoad {
  readonly limited: boolean;
  readonly records: number;
}

/** A lab in which the same load runs with all of Assay around it, with all but the samplers, or with nothing. */
export interface BenchLab {
  readonly lab: LabBench;
  /**
   * As in an experiment, by the real activities: capsule, stamps, samplers, and a worker that follows. Without samplers
   * they are ended when the lab has settled, before the load starts; all else stays.
   */
  trial(asked: AskedLoad, samplers: 'samplers' | 'no samplers'): Promise<LoadRun>;
  /** What `during` finds beside the load of a rate-limited trial without samplers; it is told the process of the tool. */
  beside<T>(records: number, during: (toolPid: number) => Promise<T>): Promise<T>;
  /** The tool started by bash, its output in a file, and nothing beside it. */
  plain(asked: AskedLoad): Promise<LoadRun>;
  close(): Promise<void>;
}

export async function benchLab(): Promise<BenchLab> {
  const lab = await labBench(SPEC);
  compileSimply(lab);
  let topics = 0;
  return {
    lab,
    trial: (asked, samplers) => trial(lab, asked, samplers === 'samplers'),
    beside: (records, during) => beside(lab, records, during),
    plain: async (asked) => {
      topics += 1;
      return plain(lab, `plain-${topics}`, scenarioOf(lab, asked.limited).load, asked.records);
    },
    close: async () => {
      const leaks = await lab.close();
      if (leaks.length > 0) throw new Error(`left behind: ${leaks.join(', ')}`);
    },
  };
}

/**
 * Every tool of this lab compiles with C1 only, whoever starts it: in a run of seconds C2 takes most of the tool's CPU, and
 * by itself not the same twice.
 */
function compileSimply({ bench: { lab } }: LabBench): void {
  const javaCommand = lab.javaCommand.bind(lab);
  lab.javaCommand = (mainClass, heapBytes) => {
    const { argv, env } = javaCommand(mainClass, heapBytes);
    return { argv: argv.toSpliced(1, 0, '-XX:TieredStopAtLevel=1'), env };
  };
}

function scenarioOf(lab: LabBench, limited: boolean): { slug: string; load: ProducerLoad } {
  for (const { slug, loads } of lab.bench.plan.scenarios) {
    const [load] = loads;
    if (load?.kind === 'producer' && (load.recordsPerS !== null) === limited) return { slug, load };
  }
  throw new Error('the plan has no such scenario');
}

/** These say nothing against the tool's own summary and CPU time: who samples is looked at itself. */
const NOT_ASKED: readonly ReasonCode[] = ['window-too-short', 'sampler-gap'];

async function trial(lab: LabBench, { limited, records }: AskedLoad, sampled: boolean): Promise<LoadRun> {
  const { slug } = scenarioOf(lab, limited);
  const how = sampled ? { records } : { records, beforeLoad: () => endSamplers(lab) };
  let said = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    said = against(await lab.trial(slug, how));
    if (said !== '') continue;
    if ((await toolWasSampled(lab)) === sampled) return instrumented(lab);
    throw new Error(sampled ? 'no sampler saw the tool' : 'a sampler saw a tool that was to have none');
  }
  throw new Error(`void ${ATTEMPTS} times: ${said}`);
}

/** What voids a trial here, as text; '' where nothing does. */
function against({ verdict }: TrialRecord): string {
  const reasons = verdict.reasons.filter(({ code }) => !NOT_ASKED.includes(code));
  return reasons.map((r) => r.message).join('; ');
}

async function beside<T>(
  lab: LabBench,
  records: number,
  during: (toolPid: number) => Promise<T>,
): Promise<T> {
  const { bench } = lab;
  const { slug, load } = scenarioOf(lab, true);
  const found = Promise.withResolvers<T>();
  const record = await lab.trial(slug, {
    records,
    loadLimitMs: (records / LIMITED_RECORDS_PER_S) * 2_000 + 60_000,
    beforeLoad: () => endSamplers(lab),
    during: async (trial) => {
      const capsule = trialCapsule(bench.ref.key, trial, load.name);
      const child = async () => (await bench.lab.client(load.on).poll(capsule)).child ?? undefined;
      const tool = await until(child, { everyMs: 100, limitMs: 30_000 });
      if (tool === undefined) throw new Error('the tool did not start');
      found.resolve(await during(tool.pid));
    },
  });
  const said = against(record);
  if (said !== '') throw new Error(`void: ${said}`);
  return found.promise;
}

async function toolWasSampled(lab: LabBench): Promise<boolean> {
  const { trial, machines } = await lab.evidence();
  const read = async (file: string) => String(await lab.bench.store.get(`${trialFolder(trial)}/${file}`));
  const texts = await Promise.all(
    machines.map(({ samples }) => (samples === null ? Promise.resolve('') : read(samples))),
  );
  const samples = texts.flatMap((text) => readSamples(text).samples);
  return samples.some(({ processes }) => processes[`${LOAD_PREFIX}p`] != null);
}

/** Those of the trial that runs: those of the trials before it are gone. */
async function endSamplers({ bench }: LabBench): Promise<void> {
  for (const { host } of bench.lab.samplerHosts()) {
    const capsules = await host.list(bench.ref.key);
    const samplers = capsules.filter((name) => /\/sampler-\d+$/.test(name));
    if (samplers.length === 0) throw new Error('the trial has no sampler that could be ended');
    for (const name of samplers) await host.kill(name);
  }
}

/** The raw files of the last trial. */
async function instrumented(lab: LabBench): Promise<LoadRun> {
  const { bench } = lab;
  const { trial } = await lab.evidence();
  const files = loadFiles('p');
  const read = (name: string) => bench.store.get(`${trialFolder(trial)}/${name}`);
  const reader = producerReader({ stamped: true });
  reader.push(await read(files.stdout));
  const { exit } = JSON.parse(String(await read(files.end))) as LoadEnd & { exit: CapsuleExit };
  if (exit.userCpuMs === null || exit.systemCpuMs === null) throw new Error('the runner saw no CPU time');
  return loadRun(reader.end(), exit.userCpuMs + exit.systemCpuMs);
}

const TIMED = 'TIMEFORMAT="%3U %3S"; time "$@" >stdout 2>stderr';

async function plain(
  { bench }: LabBench,
  topic: string,
  load: ProducerLoad,
  records: number,
): Promise<LoadRun> {
  const signal = AbortSignal.timeout(120_000);
  const command = await producerCommand(bench, topic, load, records);
  const folder = mkdtempSync(join(tmpdir(), 'assay-plain-'));
  try {
    const plan = bench.plan.scenarios[0]?.topics[0];
    if (plan === undefined) throw new Error('the plan has no topic');
    await bench.lab.admin.createTopic({ ...plan, name: topic }, signal);
    await runWell('sync', []);
    await delay(SETTLED_MS);
    const { stderr } = await runWell('bash', ['-c', TIMED, 'timed', ...command.argv], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...command.env },
    });
    await bench.lab.admin.deleteTopic(topic, signal);
    const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
    const reader = producerReader({ stamped: false });
    reader.push(readFileSync(join(folder, 'stdout')));
    return loadRun(reader.end(), (user + system) * 1000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The command of a load, on the cores that a trial would give it. */
export async function producerCommand(
  bench: LabBench['bench'],
  topic: string,
  load: ProducerLoad,
  records: number,
): Promise<{ argv: readonly string[]; env: Readonly<Record<string, string>> }> {
  const { bootstrapServers, pinning } = await environmentOf(bench);
  const payloadFile = await putPayload(bench, load.payload, load.on);
  const java = bench.lab.javaCommand(PRODUCER_MAIN, load.heapBytes);
  const { config, recordsPerS } = load;
  const given = producerArguments({
    bootstrapServers,
    topic,
    records,
    recordsPerS,
    payloadFile,
    transaction: null,
    config,
  });
  const pin = pinning.clients === null ? [] : ['taskset', '-c', pinning.clients];
  return { argv: [...pin, ...java.argv, ...given], env: java.env };
}

function loadRun({ final }: ProducerOutput, cpuMs: number): LoadRun {
  const { p99Ms = null, avgLatencyMs: avgMs = null, recordsPerS = null } = final ?? {};
  if (p99Ms === null || avgMs === null || recordsPerS === null)
    throw new Error('the tool printed no whole summary');
  return { p99Ms, avgMs, recordsPerS, cpuMs };
}
