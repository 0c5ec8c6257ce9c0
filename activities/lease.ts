import { setTimeout as delay } from 'node:timers/promises';
import { beating } from './beat.ts';
import type { ExperimentRef, HostActivities } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { voids } from './errors.ts';
import { labFolder, machineFolder } from '../src/lab/home.ts';
import { machineLease } from '../src/lab/lease.ts';
import { until } from '../src/lab/wait.ts';

const ASK_MS = 2_000;
/** Well within the lease's time to live. */
const HOLD_MS = 60_000;
const FOREVER_MS = 365 * 24 * 3_600_000;

/** One experiment measures a machine at a time. */
export function leaseActivities(
  deps: ActivityDeps,
): Pick<HostActivities, 'tryLease' | 'waitForLease' | 'holdLease' | 'releaseLease'> {
  const acquire = async (ref: ExperimentRef): Promise<string | null> => {
    if (ref.remote === true) return null;
    const holder = {
      experimentKey: ref.key,
      workflowId: ref.workflowId,
      labFolder: labFolder(deps.home, ref.key),
    };
    const answer = await machineLease(machineFolder()).acquire(holder);
    return answer.held ? null : answer.message;
  };
  return {
    tryLease: (ref) => beating(async () => ({ holder: await acquire(ref) })),
    waitForLease: (ref) =>
      beating(async (beat) => {
        const ask = async (): Promise<true | undefined> => {
          const holder = await acquire(ref);
          beat.say({ text: holder ?? 'the machine is ours' });
          return holder === null ? true : undefined;
        };
        await until(ask, { everyMs: ASK_MS, limitMs: FOREVER_MS, signal: beat.signal });
      }),
    holdLease: (ref) =>
      beating(async (beat) => {
        for (;;) {
          await keepLease(ref);
          await delay(HOLD_MS, undefined, { signal: beat.signal });
        }
      }),
    releaseLease: (ref) =>
      beating(async () => {
        if (ref.remote !== true) await machineLease(machineFolder()).release(ref.key);
      }),
  };
}

/** Renews the lease; an experiment that has lost it measures nothing more. */
export async function keepLease(ref: ExperimentRef): Promise<void> {
  if (ref.remote === true) return;
  if (await machineLease(machineFolder()).renew(ref.key)) return;
  throw voids('host-gone', 'the lease of this machine was lost: another experiment may be measuring');
}
