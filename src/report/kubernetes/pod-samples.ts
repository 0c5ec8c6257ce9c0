import { readSamples, type Samples } from '../../measure/sample.ts';
import { BROKER_PREFIX, LOAD_PREFIX } from '../../measure/sampled-processes.ts';
import type { TimeSpan } from '../../measure/cloudwatch.ts';
import type { TrialRecord } from '../../measure/trial-record.ts';
import type { SampleFile } from '../samples-csv.ts';

/** What the samplers of a trial saw, one for each pod of the lab. */
export type PodSamples = (trial: TrialRecord) => readonly Samples[];

/** Reads each trial's files once, when they are asked for. */
export function podSamples(files: readonly SampleFile[]): PodSamples {
  const read = new Map<string, readonly Samples[]>();
  return (trial) => {
    const known = read.get(trial.id);
    if (known !== undefined) return known;
    const mine = files.filter(({ path }) => path.startsWith(`trials/${trial.id}/`));
    const samples = mine.map(({ text }) => readSamples(text));
    read.set(trial.id, samples);
    return samples;
  };
}

/** The samples from the pod of a broker: those that watched its process. */
export function ofBroker(pods: readonly Samples[], broker: string): Samples | undefined {
  return pods.find((pod) => watches(pod, `${BROKER_PREFIX}${broker}`));
}

/** The samples from the pod in which a load ran. */
export function ofLoad(pods: readonly Samples[], load: string): Samples | undefined {
  return pods.find((pod) => watches(pod, `${LOAD_PREFIX}${load}`));
}

function watches({ samples }: Samples, process: string): boolean {
  return samples.some(({ processes }) => process in processes);
}

/** What is looked at of a trial: its steady window, or its loads where it has none; null = nothing ran. */
export function trialWindow({ rate, loads }: TrialRecord): TimeSpan | null {
  if (rate !== null) return { fromMs: rate.fromMs, toMs: rate.toMs };
  const starts = loads.flatMap(({ startedAtMs }) => startedAtMs ?? []);
  const ends = loads.flatMap(({ endedAtMs }) => endedAtMs ?? []);
  const [fromMs, toMs] = [Math.min(...starts), Math.max(...ends)];
  return Number.isFinite(fromMs) && Number.isFinite(toMs) && toMs > fromMs ? { fromMs, toMs } : null;
}
