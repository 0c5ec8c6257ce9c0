import { Context } from '@temporalio/activity';
import type { TrialHeartbeat } from '../src/temporal/status.ts';
import { translate } from './errors.ts';

const BEAT_MS = 1_000;

/** What a long activity says while it works. */
export interface Beat {
  say(details: TrialHeartbeat | { readonly text: string }): void;
  /** Fires when the activity is cancelled or its worker shuts down. */
  readonly signal: AbortSignal;
}

/**
 * Runs an activity's work with a heartbeat each second that carries what it says last. Every error leaves as a
 * Temporal failure. `heartbeat()` itself never throws: work must watch `signal`.
 */
export async function beating<T>(
  work: (beat: Beat) => Promise<T>,
  everyMinute?: () => Promise<void>,
): Promise<T> {
  const context = Context.current();
  let details: unknown;
  let beats = 0;
  const timer = setInterval(() => {
    context.heartbeat(details);
    beats += 1;
    if (everyMinute !== undefined && beats % 60 === 0) void everyMinute().catch(() => undefined);
  }, BEAT_MS);
  context.heartbeat();
  try {
    return await work({
      signal: context.cancellationSignal,
      say: (said) => {
        details = said;
      },
    });
  } catch (error) {
    if (context.cancellationSignal.aborted)
      throw await context.cancelled.catch((cancelled: unknown) => cancelled);
    throw translate(error);
  } finally {
    clearInterval(timer);
  }
}
