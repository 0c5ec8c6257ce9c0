import { Context } from '@temporalio/activity';
import type { TrialHeartbeat } from '../../../src/temporal/status.ts';

export type StandInActivities = typeof standInActivities;

export const standInActivities = {
  /** Heartbeats as an activity of a trial does, until it is cancelled. */
  async load(): Promise<void> {
    const context = Context.current();
    const details: TrialHeartbeat = { phase: 'drain', text: '412 MiB dirty', remainingMs: 30_000 };
    for (;;) {
      context.heartbeat(details);
      await context.sleep(200);
    }
  },
};
