import { setTimeout as delay } from 'node:timers/promises';
import { CapsuleError } from '../capsule/capsule-error.ts';
import { KafkaRefusal } from '../kafka-refusal.ts';
import { complaintOf, isUnknownTopic, type ToolRun } from './tool-error.ts';

const WAIT_MS = 500;

/** Something is not yet as it must be, or could not be asked: worth another try. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
}

/** Kafka answered until time was up, and it was never as it must be. */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}

/**
 * Asks, again while what came back may pass (a tool's time was up, a leader on its way, a pod that did not answer), until
 * `limitMs` have gone by. Ends as KafkaRefusal when Kafka means it; when time is up as CapsuleError where nobody answered,
 * else as NotDone with the last reason.
 */
export async function askTools<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const giveUpAt = performance.now() + limitMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await ask();
    } catch (cause) {
      if (!mayPass(cause)) throw cause;
      if (performance.now() > giveUpAt) throw late(what, limitMs, cause as Error);
    }
    await delay(WAIT_MS, undefined, signal === undefined ? {} : { signal });
  }
}

/** What did not answer stays told apart from what is not done. */
function late(what: string, limitMs: number, cause: Error): Error {
  const message = `${what}: not done in ${Math.round(limitMs / 1000)} s: ${cause.message}`;
  return cause instanceof CapsuleError
    ? new CapsuleError(cause.code, message, { cause })
    : new NotDone(message, { cause });
}

function mayPass(error: unknown): boolean {
  return error instanceof NotYet || (error instanceof CapsuleError && error.code === 'transport');
}

/** The stdout of a tool that ended well. Throws KafkaRefusal or NotYet. */
export function outputOf(what: string, run: ToolRun | undefined): string {
  if (run === undefined) throw new Error(`${what}: the tool was not run`);
  if (isUnknownTopic(run))
    throw new KafkaRefusal('UNKNOWN_TOPIC_OR_PARTITION', `${what}: the topic does not exist`);
  const complaint = complaintOf(run);
  if (complaint === null) return run.stdout;
  const message = `${what}: ${complaint.message}`;
  throw complaint.passing ? new NotYet(message) : new KafkaRefusal(complaint.code, message);
}
