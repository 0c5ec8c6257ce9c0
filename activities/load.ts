import type { HostActivities, Loaded, Prepared, TrialInput } from './contract.ts';
import { type Bench, scenarioOf } from './bench.ts';
import { type Beat, beating } from './beat.ts';
import type { ActivityDeps } from './deps.ts';
import { voids } from './errors.ts';
import { keepLease } from './lease.ts';
import { payloadPath } from './payloads.ts';
import { requireSameHosts } from './identities.ts';
import { trialCapsule } from '../src/design/names.ts';
import type { LoadPlan, Scenario } from '../src/design/plan.ts';
import type { CapsulePoll, Host } from '../src/lab/host.ts';
import { PRODUCER_MAIN, producerArguments } from '../src/lab/producer-command.ts';
import { until } from '../src/lab/wait.ts';
import { latestRate } from '../src/measure/latest-rate.ts';

const POLL_MS = 500;
const MIB = 1024 * 1024;
/** Side-by-side loads start together, once all their runners wait at the barrier. */
const BARRIER_MS = 1_500;

/** Starts the loads of a trial, once, whoever calls again, and follows them to their end. */
export function loadActivities(deps: ActivityDeps): Pick<HostActivities, 'runLoads' | 'stopTrial'> {
  return {
    runLoads: ({ trial, prepared }) =>
      beating(
        async (beat) => {
          const bench = await deps.benches.open(trial.ref);
          await keepLease(deps, trial.ref);
          await requireSameHosts(bench, prepared);
          return runLoads(bench, trial, prepared, beat);
        },
        () => keepLease(deps, trial.ref),
      ),
    stopTrial: (trial) => beating(async () => stopCapsules(await deps.benches.open(trial.ref), trial)),
  };
}

async function runLoads(bench: Bench, trial: TrialInput, prepared: Prepared, beat: Beat): Promise<Loaded> {
  const scenario = scenarioOf(bench, trial);
  const capsules = scenario.loads.map((load) => ({
    load,
    host: bench.lab.client(load.on),
    name: trialCapsule(trial.ref.key, trial, load.name),
  }));
  const notBeforeMs = capsules.length > 1 ? Date.now() + BARRIER_MS : null;
  for (const { load, host, name } of capsules) {
    await launchLoad(bench, trial, prepared, load, host, name, notBeforeMs);
  }
  const follow = capsules.map(() => follower());
  const ended = await until(
    async () => {
      const polls = await Promise.all(capsules.map(({ host, name }, i) => follow[i]!(host, name)));
      const rate = polls.reduce((sum, p) => sum + (p.rate ?? 0), 0);
      beat.say({ phase: 'load', text: `${scenario.loads.length} load(s) running`, ...(rate > 0 ? { provisionalRecordsPerS: rate } : {}) });
      return polls.every((p) => p.poll.state !== 'running') ? polls : undefined;
    },
    { everyMs: POLL_MS, limitMs: trial.loadLimitMs + 60_000, signal: beat.signal },
  );
  if (ended === undefined) throw voids('wall-timeout', `the loads did not end within ${trial.loadLimitMs / 1000} s`);
  const loads = Object.fromEntries(capsules.map(({ load }, i) => [load.name, stateOf(ended[i]!.poll)]));
  return { loads, endedAtMs: Date.now() };
}

function stateOf(poll: CapsulePoll): Loaded['loads'][string] {
  const state = poll.state === 'running' ? 'lost' : poll.state;
  return { state, exitCode: poll.exit?.code ?? null };
}

/** Polls one capsule, reading on from where it stopped, and keeps the rate of its last interval line. */
function follower(): (host: Host, name: string) => Promise<{ poll: CapsulePoll; rate: number | null }> {
  let from = { stdout: 0, stderr: 0 };
  let tail = '';
  let rate: number | null = null;
  return async (host, name) => {
    const poll = await host.poll(name, from);
    from = poll.next;
    tail = (tail + poll.stdout.toString('utf8')).slice(-4_096);
    rate = latestRate(tail) ?? rate;
    return { poll, rate };
  };
}

async function launchLoad(
  bench: Bench,
  trial: TrialInput,
  prepared: Prepared,
  load: LoadPlan,
  host: Host,
  name: string,
  notBeforeMs: number | null,
): Promise<void> {
  const { argv, env } = loadCommand(bench, scenarioOf(bench, trial), trial, prepared, load);
  const { pinning, bootstrapServers } = await bench.lab.facts();
  await host.launch({
    name,
    argv: argv(bootstrapServers),
    env,
    deadlineMs: trial.loadLimitMs,
    stderrCapBytes: 4 * MIB,
    stdoutCapBytes: 64 * MIB,
    stamp: true,
    countStderr: '^org\\.apache\\.kafka\\.common\\.errors\\.',
    ...(pinning.clients === null ? {} : { cpus: pinning.clients }),
    ...(notBeforeMs === null ? {} : { notBeforeMs }),
    identity: await host.identity(),
  });
}

/** The exact command of a load. */
export function loadCommand(bench: Bench, scenario: Scenario, trial: TrialInput, prepared: Prepared, load: LoadPlan) {
  const topic = prepared.topics[load.topic];
  const records = trial.counts[load.name];
  if (topic === undefined || records === undefined) throw voids('bug', `no topic or count for load ${load.name}`);
  const index = scenario.loads.indexOf(load);
  const java = bench.lab.javaCommand(PRODUCER_MAIN, bench.plan.lab.clients.heapBytes);
  const argv = (bootstrapServers: string) => [
    ...java.argv,
    ...producerArguments({
      bootstrapServers,
      topic: topic.name,
      records,
      recordsPerS: load.recordsPerS,
      payloadFile: payloadPath(bench, load, index),
      config: load.config,
    }),
  ];
  return { argv, env: java.env };
}

async function stopCapsules(bench: Bench, trial: TrialInput): Promise<void> {
  const loads = scenarioOf(bench, trial).loads;
  await Promise.all(
    loads.map((load) => bench.lab.client(load.on).kill(trialCapsule(trial.ref.key, trial, load.name))),
  );
}
