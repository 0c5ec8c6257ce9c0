import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProducerLoad } from '../src/design/plan.ts';
import { PRODUCER_MAIN, producerArguments } from '../src/lab/producer-command.ts';
import { LOAD_PREFIX } from '../src/measure/sampled-processes.ts';
import { producerReader, type ProducerOutput } from '../src/measure/producer.ts';
import type { LoadEnd } from '../src/measure/trial-evidence.ts';
import type { CapsuleExit } from '../src/lab/host.ts';
import { putPayload } from '../activities/payloads.ts';
import { environmentOf } from '../activities/bench.ts';
import { loadFiles } from '../src/store/attempt-files.ts';
import { trialFolder } from '../src/store/experiment-files.ts';
import { labBench, type LabBench } from '../test/kill/support/lab-bench.ts';
import { endSampler, startSampler } from './lab-sampler.ts';
import { runWell } from './run.ts';

/** Three small brokers and one producer, at a rate that two cores keep easily, or as fast as it can. */
const SPEC = {
  assay: 1,
  name: 'instruments',
  question: 'What do the instruments cost?',
  // Apart: where brokers take the tool's core away and give it back, its CPU time differs by several per cent by itself.
  lab: { brokers: { count: 3, heap: '512MiB' }, clients: { count: 1, heap: '512MiB' }, pin: true },
  payload: { json: { lines: 20000, size: '512B', padding: '0%' } },
  topics: { main: { partitions: 6, replication: 3 } },
  producers: { p: { topic: 'main', for: '20s', rate: '4k/s', config: { acks: 'all' } } },
  factors: { rate: { set: 'producers.p.rate', levels: ['4k/s', 'max'] } },
  design: { blocks: 6 },
  window: { ramp: '1s', min: '1s' },
  settle: { method: 'sync', quiet: '1s', drain: '0s' },
};
export const LIMITED_RECORDS_PER_S = 4_000;
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

/** A lab in which the same load runs with all of Assay around it, or with nothing. */
export interface BenchLab {
  readonly lab: LabBench;
  /** As in an experiment: capsule, stamps, sampler, and a worker that follows. */
  withInstruments(limited: boolean, records: number): Promise<LoadRun>;
  /** The tool started by bash, its output in a file; with a trial's sampler beside it, or alone. */
  plain(limited: boolean, records: number, sampled: boolean): Promise<LoadRun>;
  close(): Promise<void>;
}

export async function benchLab(): Promise<BenchLab> {
  const lab = await labBench(SPEC);
  let topics = 0;
  return {
    lab,
    withInstruments: async (limited, records) => {
      const { slug } = scenarioOf(lab, limited);
      let reasons = '';
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const { verdict } = await lab.trial(slug, { records });
        if (verdict.valid) return instrumented(lab);
        reasons = verdict.reasons.map((r) => r.message).join('; ');
      }
      throw new Error(`void ${ATTEMPTS} times: ${reasons}`);
    },
    plain: async (limited, records, sampled) => {
      topics += 1;
      return plain(lab, { topic: `plain-${topics}`, load: scenarioOf(lab, limited).load, records, sampled });
    },
    close: async () => {
      const leaks = await lab.close();
      if (leaks.length > 0) throw new Error(`left behind: ${leaks.join(', ')}`);
    },
  };
}

function scenarioOf(lab: LabBench, limited: boolean): { slug: string; load: ProducerLoad } {
  for (const { slug, loads } of lab.bench.plan.scenarios) {
    const [load] = loads;
    if (load?.kind === 'producer' && (load.recordsPerS !== null) === limited) return { slug, load };
  }
  throw new Error('the plan has no such scenario');
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

/** The time of the tool; it is found by the sampler as in a trial, by a file of its pid and start time. */
const TIMED = `
run() {
  local line argv=("$@")
  read -r line <"/proc/$BASHPID/stat"
  set -- \${line##*) }
  echo "$BASHPID \${20}" >child
  exec "\${argv[@]}" >stdout 2>stderr
}
TIMEFORMAT="%3U %3S"; time (run "$@")`;

interface PlainRun {
  readonly topic: string;
  readonly load: ProducerLoad;
  readonly records: number;
  readonly sampled: boolean;
}

async function plain({ bench }: LabBench, run: PlainRun): Promise<LoadRun> {
  const { topic, load, records, sampled } = run;
  const signal = AbortSignal.timeout(120_000);
  const command = await producerCommand(bench, topic, load, records);
  const folder = mkdtempSync(join(tmpdir(), 'assay-plain-'));
  const [target] = await bench.lab.samplerTargets();
  const [first] = bench.plan.scenarios[0]?.topics ?? [];
  if (first === undefined || target === undefined)
    throw new Error('the plan has no topic, or the lab no machine');
  try {
    await bench.lab.admin.createTopic({ ...first, name: topic }, signal);
    await runWell('sync', []);
    const watch = { [`${LOAD_PREFIX}p`]: join(folder, 'child') };
    const sampler = sampled ? await startSampler(bench, target, topic, watch) : null;
    await delay(SETTLED_MS);
    const { stderr } = await runWell('bash', ['-c', TIMED, 'timed', ...command.argv], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...command.env },
    });
    if (sampler !== null) {
      const { samples } = await endSampler(target.host, sampler.name);
      if (!samples.some(({ processes }) => processes[`${LOAD_PREFIX}p`] != null))
        throw new Error('the sampler did not see the tool');
    }
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
