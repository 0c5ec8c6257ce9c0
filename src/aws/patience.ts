import { setTimeout as delay } from 'node:timers/promises';
import { asAwsError, AwsError, type AwsRequest } from './errors.ts';

/** How long a request to AWS is tried again, and who is told of it. */
export interface Patience {
  /** Waits for throttling, server faults and broken connections, all together at the most. */
  readonly limitMs: number;
  /** Waits for new credentials at the most. */
  readonly credentialsLimitMs: number;
  /** Told before every wait; waiting is never silent. */
  readonly say?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** For tests. */
  readonly sleep?: (ms: number) => Promise<void>;
}

/** What a worker has by default: 2 min of backing off, 30 min for somebody to renew credentials. */
export const PATIENCE: Patience = { limitMs: 120_000, credentialsLimitMs: 30 * 60_000 };

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 20_000;
const CREDENTIALS_WAIT_MS = 15_000;

/**
 * Makes a request until it succeeds, fails for good, or patience ends. Backs off exponentially with full jitter
 * (the waits of several workers must not fall together).
 *
 * @param call one try; made anew each time, so that it may use a client with new credentials.
 * @param renew called when credentials have expired, before the next try.
 * @throws AwsError with the code of the last failure.
 */
export async function patiently<T>(
  request: AwsRequest,
  call: () => Promise<T>,
  patience: Patience,
  renew: () => void = () => undefined,
): Promise<T> {
  let [waitedMs, forCredentialsMs] = [0, 0];
  for (let tries = 0; ; tries++) {
    patience.signal?.throwIfAborted();
    try {
      return await call();
    } catch (thrown) {
      const error = asAwsError(thrown, request);
      if (!(error instanceof AwsError)) throw error;
      if (error.code === 'expired-credentials') {
        if (forCredentialsMs >= patience.credentialsLimitMs) throw error;
        forCredentialsMs += CREDENTIALS_WAIT_MS;
        await wait(patience, CREDENTIALS_WAIT_MS, `waiting for new AWS credentials: ${error.message}`);
        renew();
        continue;
      }
      const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
      if (!isPassing(error) || waitedMs + waitMs > patience.limitMs) throw error;
      waitedMs += waitMs;
      await wait(patience, waitMs * (0.5 + Math.random() / 2), `${error.message} (tried ${tries + 1} times)`);
    }
  }
}

/** Whether the same request may succeed a little later. */
function isPassing(error: AwsError): boolean {
  return error.code === 'throttled' || error.code === 'server' || error.code === 'unreachable';
}

/** Waits as patience says; abortable. */
export async function wait(patience: Patience, ms: number, text: string): Promise<void> {
  patience.say?.(text);
  if (patience.sleep !== undefined) return patience.sleep(ms);
  await delay(ms, undefined, patience.signal === undefined ? {} : { signal: patience.signal });
}
