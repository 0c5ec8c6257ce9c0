import { beating, type Beat } from './beat.ts';
import { type Bench, environmentOf } from './bench.ts';
import type { HostActivities, TrialInput } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { keepLease } from './lease.ts';
import { samplerFollowers, type SamplerFollower } from './samplers.ts';
import { syncHosts } from './sync.ts';
import { trialCapsule } from '../src/design/names.ts';
import { until } from '../src/lab/wait.ts';
import { quietConfigOf } from '../src/measure/derive-quiet.ts';
import {
  observe,
  passTime,
  quietOutcome,
  quietProgress,
  quietReading,
  startQuiet,
  worstOutcome,
  type QuietConfig,
  type QuietState,
} from '../src/measure/quiet.ts';
import type { Sample } from '../src/measure/sample.ts';
import type { SettleOutcome } from '../src/measure/trial-record.ts';

const LOOK_MS = 500;
const MIB = 1024 * 1024;

type Phase = 'settle' | 'drain';

/** Settle before a load, drain after it: waits until every machine is quiet, or the limit; never hangs. */
export function quietActivities(deps: ActivityDeps): Pick<HostActivities, 'settleTrial' | 'drainTrial'> {
  const run = (trial: TrialInput, phase: Phase): Promise<SettleOutcome> =>
    beating(
      async (beat) => {
        const bench = await deps.benches.open(trial.ref);
        const { method } = bench.plan.settle;
        if (phase === 'settle' && method === 'sync') {
          beat.say({ phase, text: 'sync: writing dirty memory to disk' });
          await syncHosts(bench, trialCapsule(trial.ref.key, trial, 'sync'), beat);
        }
        return watch(bench, trial, beat, phase);
      },
      () => keepLease(trial.ref),
    );
  return { settleTrial: (trial) => run(trial, 'settle'), drainTrial: (trial) => run(trial, 'drain') };
}

async function watch(bench: Bench, trial: TrialInput, beat: Beat, phase: Phase): Promise<SettleOutcome> {
  const followers = await samplerFollowers(bench, trial);
  const configs = await Promise.all(followers.map(({ device }) => quietConfig(bench, phase, device)));
  const machines = followers.map((follower, i) => new Machine(follower, configs[i]!));
  const { limitMs, method, baseDirtyBytes } = configs[0]!;
  const outcome = await until(
    async () => {
      await Promise.all(machines.map((machine) => machine.look()));
      sayProgress(beat, phase, machines[0]!.state);
      return worstOutcome(machines.map(({ state }) => quietOutcome(state))) ?? undefined;
    },
    { everyMs: LOOK_MS, limitMs: limitMs + 30_000, signal: beat.signal },
  );
  return outcome ?? { outcome: 'TIMEOUT', method, tookMs: limitMs, baseDirtyBytes, curve: [] };
}

async function quietConfig(bench: Bench, phase: Phase, device: string | null): Promise<QuietConfig> {
  const { baseDirtyBytes } = await environmentOf(bench);
  return quietConfigOf(bench.plan.settle, phase, { baseDirtyBytes, deviceKnown: device !== null });
}

/** One machine that is watched; judged on its own uptime clock, from the first sample that is new. */
class Machine {
  state: QuietState;
  private readonly follower: SamplerFollower;
  private readonly startedAt = performance.now();
  private before: Sample | null = null;
  private started = false;

  constructor(follower: SamplerFollower, config: QuietConfig) {
    this.follower = follower;
    this.state = startQuiet(config, 0);
  }

  async look(): Promise<void> {
    const fresh = await this.follower.next();
    for (const sample of this.started ? fresh : fresh.slice(-2)) this.take(sample);
    const goneMs = performance.now() - this.startedAt;
    if (goneMs > this.state.config.limitMs)
      this.state = passTime(this.state, this.state.startedAtMs + goneMs);
  }

  private take(sample: Sample): void {
    if (!this.started) this.state = startQuiet(this.state.config, sample.uptimeMs[1]);
    this.started = true;
    this.state = observe(this.state, quietReading(this.before, sample));
    this.before = sample;
  }
}

function sayProgress(beat: Beat, phase: Phase, state: QuietState): void {
  const { dirtyBytes, quietInMs, limitInMs } = quietProgress(state, state.lastAtMs);
  const dirty = dirtyBytes === null ? 'dirty memory unknown' : `${Math.round(dirtyBytes / MIB)} MiB dirty`;
  const text =
    quietInMs === null ? `writing: ${dirty}` : `quiet in ${Math.ceil(quietInMs / 1000)} s: ${dirty}`;
  beat.say({ phase, text, remainingMs: limitInMs });
}
