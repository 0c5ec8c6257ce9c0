import type { Bench } from './bench.ts';
import { scenarioOf } from './bench.ts';
import type { TrialInput } from './contract.ts';
import { trialCapsule } from '../src/design/names.ts';
import type { Host } from '../src/lab/host.ts';
import type { SamplerTarget } from '../src/lab/lab.ts';
import { samplerCapsule } from '../src/lab/sampler/sampler.ts';
import { samplesReader, type Sample } from '../src/measure/sample.ts';
import { BROKER_PREFIX, LOAD_PREFIX } from '../src/measure/sampled-processes.ts';

const SLACK_MS = 10 * 60_000;

/** The capsule of the sampler on this machine. */
export function samplerName(trial: TrialInput, index: number): string {
  return trialCapsule(trial.ref.key, trial, `sampler-${index + 1}`);
}

/** Starts one sampler a machine for this attempt; it watches brokers and loads, which may start later. */
export async function startSamplers(bench: Bench, trial: TrialInput): Promise<void> {
  const targets = await bench.lab.samplerTargets();
  await Promise.all(
    targets.map((target, index) => startSampler(bench, trial, target, samplerName(trial, index))),
  );
}

async function startSampler(
  bench: Bench,
  trial: TrialInput,
  target: SamplerTarget,
  name: string,
): Promise<void> {
  const brokers = Object.entries(target.brokerPids).map(
    ([broker, pid]) => [`${BROKER_PREFIX}${broker}`, pid] as const,
  );
  const here = scenarioOf(bench, trial).loads.filter(({ on }) => target.clients?.includes(on) ?? true);
  const loads = here.map((load) => {
    const child = bench.lab.client(load.on).pathOf(trialCapsule(trial.ref.key, trial, load.name), 'child');
    return [`${LOAD_PREFIX}${load.name}`, child] as const;
  });
  const deadlineMs =
    (trial.fillLimitMs ?? 0) + trial.settleLimitMs + trial.loadLimitMs + trial.drainLimitMs + SLACK_MS;
  await target.host.launch(
    samplerCapsule({
      name,
      device: target.device,
      netInterfaces: target.netInterfaces,
      watch: Object.fromEntries([...brokers, ...loads]),
      deadlineMs,
      identity: await target.host.identity(),
      ...(target.script === undefined ? {} : { script: target.script }),
    }),
  );
}

/** Reads a sampler's output as it grows. */
export interface SamplerFollower {
  readonly device: string | null;
  /** Samples since the last call. */
  next(): Promise<readonly Sample[]>;
}

/** Followers of all samplers of an attempt, from the present on: what was sampled before is skipped. */
export async function samplerFollowers(bench: Bench, trial: TrialInput): Promise<SamplerFollower[]> {
  const targets = await bench.lab.samplerTargets();
  return targets.map(({ host, device }, index) => follower(host, samplerName(trial, index), device));
}

function follower(host: Host, name: string, device: string | null): SamplerFollower {
  const reader = samplesReader();
  let from = { stdout: 0, stderr: 0 };
  return {
    device,
    next: async () => {
      const poll = await host.poll(name, from);
      from = poll.next;
      return reader.push(poll.stdout);
    },
  };
}
