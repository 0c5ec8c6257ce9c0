import { setTimeout as delay } from 'node:timers/promises';
import { createConfiguration, ServerConfiguration } from '@kubernetes/client-node';
import type { Configuration } from '@kubernetes/client-node';
import type { ClusterAccess } from './access.ts';
import { ClusterError } from './cluster-error.ts';
import type { Call } from './cluster.ts';
import { readFailure } from './read-failure.ts';

const DEADLINE_MS = 30_000;
/** One try: an answer that is later than this will not come. */
const TRY_MS = 10_000;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 3_000;

/**
 * Runs a request that may be asked again until it is answered or the call's deadline is over.
 * `what` is for the error (`get Pod ns/name`).
 */
export async function ask<T>(
  access: ClusterAccess,
  what: string,
  call: Call,
  request: (configuration: Configuration) => Promise<T>,
): Promise<T> {
  const end = performance.now() + (call.deadlineMs ?? DEADLINE_MS);
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    call.signal?.throwIfAborted();
    try {
      return await once(access, what, Math.min(TRY_MS, Math.max(1, end - performance.now())), call, request);
    } catch (thrown) {
      call.signal?.throwIfAborted();
      const { error, retryable, retryAfterMs } = readFailure(thrown, what);
      const waitMs = retryAfterMs ?? wait * (0.5 + Math.random() / 2);
      if (!retryable || performance.now() + waitMs >= end) throw error;
      await delay(waitMs, undefined, call.signal === undefined ? {} : { signal: call.signal });
    }
  }
}

/** Settles when time is over whatever the library does: credential plugins know no signal. */
async function once<T>(
  access: ClusterAccess,
  what: string,
  limitMs: number,
  call: Call,
  request: (configuration: Configuration) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const signal = call.signal === undefined ? timeout.signal : AbortSignal.any([call.signal, timeout.signal]);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const timer = setTimeout(() => {
    timeout.abort(new Error(`no answer within ${Math.round(limitMs)} ms`));
  }, limitMs);
  try {
    return await Promise.race([request(configure(access, signal)), late]);
  } finally {
    clearTimeout(timer);
    // Ends what still runs, and lets `late` go: nobody hears it any more.
    late.catch(() => {});
    timeout.abort(new ClusterError('other', what, 'the call is over.'));
  }
}

function configure(access: ClusterAccess, signal: AbortSignal): Configuration {
  return createConfiguration({
    baseServer: new ServerConfiguration(access.server, {}),
    authMethods: { default: access.authentication },
    promiseMiddleware: [
      {
        pre: (request) => {
          request.setHeaderParam('User-Agent', 'assay');
          request.setSignal(signal);
          return Promise.resolve(request);
        },
        post: (response) => Promise.resolve(response),
      },
    ],
  });
}
