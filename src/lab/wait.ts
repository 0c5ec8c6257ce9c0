import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until `ask` gives something other than undefined, or time is up; then undefined. Abortable. */
export async function until<T>(
  ask: () => Promise<T | undefined>,
  options: { readonly everyMs: number; readonly limitMs: number; readonly signal?: AbortSignal },
): Promise<T | undefined> {
  const giveUpAt = performance.now() + options.limitMs;
  for (;;) {
    options.signal?.throwIfAborted();
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() >= giveUpAt) return undefined;
    await delay(options.everyMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}
