import type { HostActivities, Loaded, Prepared, TrialInput } from './contract.ts';
import { type Bench, environmentOf, scenarioOf } from './bench.ts';
import { type Beat, beating } from './beat.ts';
import type { ActivityDeps } from './deps.ts';
import { voids } from './errors.ts';
import { stopFills } from './fill.ts';
import { JOIN_MS, loadCommand } from './load-command.ts';
import { keepLease } from './lease.ts';
import { requireSameHosts } from './identities.ts';
import { reach } from './reach.ts';
import { trialCapsule } from '../src/design/names.ts';
import type { LoadPlan } from '../src/design/plan.ts';
import type { CapsulePoll, Host } from '../src/lab/host.ts';
import { until } from '../src/lab/wait.ts';
import { producerReader } from '../src/measure/producer.ts';
import { FAILED_CALLBACK_ERE } from '../src/measure/stderr.ts';

const POLL_MS = 500;
const MIB = 1024 * 1024;
/** Side-by-side loads start together, once all their runners wait at the barrier. */
const BARRIER_MS = 1_500;
/** A launch takes a moment of its own. */
const BARRIER_MS_PER_LOAD = 300;

/** Starts the loads of a trial, once, whoever calls again, and follows them to their end. */
export function loadActivities(deps: ActivityDeps): Pick<HostActivities, 'runLoads' | 'stopTrial'> {
  return {
    runLoads: ({ trial, prepared }) =>
      beating(
        async (beat) => {
          const bench = await deps.benches.open(trial.ref);
          await keepLease(trial.ref);
          await requireSameHosts(bench, prepared, beat);
          return runLoads(bench, trial, prepared, beat);
        },
        () => keepLease(trial.ref),
      ),
    stopTrial: (trial) =>
      beating(async (beat) => stopCapsules(await deps.benches.open(trial.ref), trial, beat)),
  };
}

async function runLoads(bench: Bench, trial: TrialInput, prepared: Prepared, beat: Beat): Promise<Loaded> {
  const scenario = scenarioOf(bench, trial);
  const capsules = capsulesOf(bench, trial, scenario.loads);
  const notBeforeMs = await launchAll(bench, trial, prepared, capsules);
  const follow = capsules.map(({ load }) => follower(load));
  const ended = await until(
    async () => {
      const polls = await Promise.all(capsules.map((capsule, i) => follow[i]!(capsule)));
      const rate = polls.reduce((sum, p) => sum + (p.rate ?? 0), 0);
      beat.say({
        phase: 'load',
        text: `${scenario.loads.length} load(s) running`,
        ...(rate > 0 ? { provisionalRecordsPerS: rate } : {}),
      });
      return polls.every((p) => p.poll.state !== 'running') ? polls : undefined;
    },
    { everyMs: POLL_MS, limitMs: trial.loadLimitMs + 60_000, signal: beat.signal },
  );
  if (ended === undefined)
    throw voids('wall-timeout', `the loads did not end within ${trial.loadLimitMs / 1000} s`);
  const loads = Object.fromEntries(capsules.map(({ load }, i) => [load.name, stateOf(ended[i]!.poll)]));
  const barrier = Object.keys(notBeforeMs).length === 0 ? {} : { notBeforeMs };
  return { loads, endedAtMs: Date.now(), ...barrier };
}

/** One load and where it runs. */
interface LoadCapsule {
  readonly load: LoadPlan;
  readonly host: Host;
  readonly name: string;
}

function capsulesOf(bench: Bench, trial: TrialInput, loads: readonly LoadPlan[]): readonly LoadCapsule[] {
  return loads.map((load) => ({
    load,
    host: bench.lab.client(load.on),
    name: trialCapsule(trial.ref.key, trial, load.name),
  }));
}

/**
 * Launches what is not launched yet. Consumers that start at the end of a topic come first, and everything else starts
 * when they have had time to join.
 *
 * @returns load → wall time before which it was not started; a single load has none, nor has one that ran already.
 */
async function launchAll(
  bench: Bench,
  trial: TrialInput,
  prepared: Prepared,
  capsules: readonly LoadCapsule[],
): Promise<Record<string, number>> {
  const started: Record<string, number> = {};
  const several = capsules.length > 1;
  const barrierMs = Date.now() + BARRIER_MS + BARRIER_MS_PER_LOAD * capsules.length;
  const late = capsules.some(({ load }) => joinsFirst(load)) ? JOIN_MS : 0;
  for (const capsule of capsules.toSorted(
    (a, b) => Number(joinsFirst(b.load)) - Number(joinsFirst(a.load)),
  )) {
    const { load, host, name } = capsule;
    const atMs = barrierMs + (joinsFirst(load) ? 0 : late);
    // A single load waits for nobody: there is no barrier to tell of.
    const fresh = several && (await host.poll(name)).state === 'absent';
    await launchLoad(bench, trial, prepared, capsule, several ? atMs : null);
    if (fresh) started[load.name] = atMs;
  }
  return started;
}

function joinsFirst(load: LoadPlan): boolean {
  return load.kind === 'consumer' && load.from === 'latest';
}

function stateOf(poll: CapsulePoll): Loaded['loads'][string] {
  const state = poll.state === 'running' ? 'lost' : poll.state;
  return { state, exitCode: poll.exit?.code ?? null };
}

/** Polls one capsule, reading on from where it stopped, and keeps the rate of a producer's last interval line. */
function follower(
  load: LoadPlan,
): (capsule: LoadCapsule) => Promise<{ poll: CapsulePoll; rate: number | null }> {
  let from = { stdout: 0, stderr: 0 };
  const reader = load.kind === 'producer' ? producerReader({ stamped: true }) : null;
  return async ({ host, name }) => {
    const poll = await host.poll(name, from);
    from = poll.next;
    reader?.push(poll.stdout);
    return { poll, rate: reader?.soFar().intervals.at(-1)?.recordsPerS ?? null };
  };
}

async function launchLoad(
  bench: Bench,
  trial: TrialInput,
  prepared: Prepared,
  { load, host, name }: LoadCapsule,
  notBeforeMs: number | null,
): Promise<void> {
  const { pinning, bootstrapServers } = await environmentOf(bench);
  const { argv, env } = loadCommand(bench, trial, prepared, load, bootstrapServers);
  await host.launch({
    name,
    argv,
    env,
    deadlineMs: trial.loadLimitMs,
    stderrCapBytes: 4 * MIB,
    stdoutCapBytes: 64 * MIB,
    stamp: true,
    countStderr: FAILED_CALLBACK_ERE,
    ...(pinning.clients === null ? {} : { cpus: pinning.clients }),
    ...(notBeforeMs === null ? {} : { notBeforeMs }),
    identity: await host.identity(),
  });
}

/** With a client that is gone went what ran there. */
async function stopCapsules(bench: Bench, trial: TrialInput, beat: Beat): Promise<void> {
  const loads = capsulesOf(bench, trial, scenarioOf(bench, trial).loads);
  await Promise.all([
    ...loads.map(({ load, host, name }) => reach(bench, `client ${load.on}`, beat, () => host.kill(name))),
    stopFills(bench, trial, beat),
  ]);
}
