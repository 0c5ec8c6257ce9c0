import type { Host } from '../src/lab/host.ts';
import type { SamplerTarget } from '../src/lab/lab.ts';
import { samplerCapsule } from '../src/lab/sampler/sampler.ts';
import { until } from '../src/lab/wait.ts';
import { type Sample, samplesReader } from '../src/measure/sample.ts';
import type { LabBench } from '../test/kill/support/lab-bench.ts';

/**
 * Starts a sampler as a trial does: it watches the machine, the brokers, and what else it is given by name and pid.
 *
 * @returns its capsule, and the session of its processes.
 */
export async function startSampler(
  bench: LabBench['bench'],
  { host, device, netInterfaces, brokerPids }: SamplerTarget,
  called: string,
  others: Readonly<Record<string, number>> = {},
): Promise<{ name: string; session: number }> {
  const name = `${bench.ref.key}/bench/${called}`;
  const identity = await host.identity();
  const watch = { ...brokerPids, ...others };
  await host.launch(samplerCapsule({ name, device, netInterfaces, watch, deadlineMs: 600_000, identity }));
  const ask = async () => (await host.poll(name)).claim ?? undefined;
  const claim = await until(ask, { everyMs: 50, limitMs: 10_000 });
  if (claim === undefined) throw new Error('the sampler did not start');
  return { name, session: claim.pid };
}

/** Ends it; its samples but the first two, which its own start disturbs. */
export async function endSampler(
  host: Host,
  name: string,
): Promise<{ samples: readonly Sample[]; hz: number }> {
  const { stdout } = await host.poll(name);
  await host.kill(name);
  await host.remove(name);
  const reader = samplesReader();
  reader.push(stdout);
  const { samples, header } = reader.samples();
  return { samples: samples.slice(2), hz: header?.hz ?? Number.NaN };
}
