import type { OpenClient } from '../temporal/connection.ts';
import type { Env } from '../temporal/home.ts';

/** Long enough for a server that is there; a command that can do without one must not hang. */
const PATIENCE_MS = 5_000;

/** A connected client for a command that can do without: no answer is an answer. Starts nothing. */
export async function openQuietly(env: Env): Promise<OpenClient | { readonly why: string }> {
  const { chooseTemporal, openClient } = await import('../temporal/connection.ts');
  const { requireUp } = await import('../temporal/up.ts');
  try {
    const choice = chooseTemporal(env);
    if (choice.kind === 'embedded') requireUp(choice, env);
    return await openClient(choice, PATIENCE_MS);
  } catch (error) {
    return { why: (error as Error).message.split('\n')[0] ?? '' };
  }
}
