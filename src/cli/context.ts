import type { Client } from '@temporalio/client';
import type { TemporalChoice } from '../temporal/connection.ts';
import type { Env } from '../temporal/home.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** What every command gets. Heavy modules are imported by the command that needs them, when it runs. */
export interface Context {
  readonly terminal: Terminal;
  readonly env: Env;
  /** Exit code of the process when the command has ended without an error; 0 unless set. */
  exitWith(code: ExitCode): void;
}

export interface Session {
  readonly client: Client;
  readonly choice: TemporalChoice;
}

/**
 * Runs `work` with a connected client and closes it.
 *
 * @param start whether supervisor, worker and embedded server are started when they do not run.
 */
export async function withTemporal<T>(
  context: Context,
  start: boolean,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { chooseTemporal, openClient } = await import('../temporal/connection.ts');
  const { ensureUp, requireUp } = await import('../temporal/up.ts');
  const choice = chooseTemporal(context.env);
  const say = (text: string) => context.terminal.say(text);
  if (choice.kind === 'embedded') {
    if (start) await ensureUp(choice, context.env, say);
    else requireUp(choice, context.env);
  }
  const open = await openClient(choice);
  try {
    // A server of somebody's is asked first: a worker for one that does not answer would only fill its log.
    if (start && choice.kind === 'configured') await ensureUp(choice, context.env, say);
    return await work({ client: open.client, choice });
  } finally {
    await open.close();
  }
}
