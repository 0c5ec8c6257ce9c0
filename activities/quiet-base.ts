import type { Bench } from './bench.ts';
import { samplerCapsule } from '../src/lab/sampler/sampler.ts';
import { until } from '../src/lab/wait.ts';
import { waitingBytes } from '../src/measure/sample-intervals.ts';
import { samplesReader } from '../src/measure/sample.ts';

const LIMIT_MS = 30_000;

/**
 * The base of the lab: the least Dirty + Writeback of a few samples after the brokers came up. Settle and drain
 * are judged against it, because dirty memory is the whole machine's and never falls to zero.
 *
 * @param samples how many, a second apart.
 * @returns bytes; 0 where the counter does not exist.
 */
export async function quietBase(bench: Bench, samples: number, signal: AbortSignal): Promise<number> {
  const [target] = await bench.lab.samplerTargets();
  if (target === undefined) return 0;
  const { host, device, netInterfaces, script } = target;
  const name = `${bench.ref.key}/lab/base-sampler/${Date.now()}`;
  const identity = await host.identity();
  await host.launch(
    samplerCapsule({
      name,
      device,
      netInterfaces,
      watch: {},
      deadlineMs: LIMIT_MS,
      identity,
      ...(script === undefined ? {} : { script }),
    }),
  );
  const reader = samplesReader();
  let from = { stdout: 0, stderr: 0 };
  const read = await until(
    async () => {
      const poll = await host.poll(name, from);
      from = poll.next;
      reader.push(poll.stdout);
      const seen = reader.samples().samples;
      return seen.length >= samples || poll.state !== 'running' ? seen : undefined;
    },
    { everyMs: 250, limitMs: LIMIT_MS, signal },
  );
  await host.kill(name);
  await host.remove(name);
  const readings = (read ?? []).map(waitingBytes).filter((bytes) => bytes !== null);
  return readings.length === 0 ? 0 : Math.min(...readings);
}
