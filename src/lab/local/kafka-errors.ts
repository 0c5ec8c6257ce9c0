import { setTimeout as delay } from 'node:timers/promises';
import { KafkaRefusal } from '../kafka-refusal.ts';

interface ClientError {
  readonly message?: string;
  readonly code?: string;
  readonly apiId?: string;
  readonly canRetry?: boolean;
  readonly serverErrorMessage?: string | null;
  readonly errors?: readonly ClientError[];
  readonly cause?: unknown;
}

/** The errors at the leaves: the client nests Kafka's own two or three levels deep. */
function leaves(error: ClientError): readonly ClientError[] {
  return error.errors !== undefined && error.errors.length > 0 ? error.errors.flatMap(leaves) : [error];
}

/** Kafka's names of what went wrong; empty for network trouble. */
export function kafkaCodes(error: unknown): readonly string[] {
  return leaves(error as ClientError).flatMap((e) => (e.apiId === undefined ? [] : [e.apiId]));
}

/** Worth another try: nothing of it is final. A request that the client itself finds wrong (PLT_KFK_USER) is. */
function isTransient(error: unknown): boolean {
  return leaves(error as ClientError).every((e) =>
    e.apiId === undefined
      ? (e.code ?? '').startsWith('PLT_KFK_') && e.code !== 'PLT_KFK_USER'
      : e.canRetry === true,
  );
}

function explain(error: unknown): string {
  return leaves(error as ClientError)
    .map((e) =>
      e.apiId === undefined
        ? (e.message ?? e.code ?? 'unknown')
        : `${e.apiId}: ${e.serverErrorMessage ?? e.message ?? ''}`,
    )
    .join('; ');
}

/**
 * Asks Kafka, again while the failure is transient, until `limitMs` have gone by. Ends as KafkaRefusal when Kafka
 * means it, as Error with the last reason when time is up.
 */
export async function askKafka<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const giveUpAt = performance.now() + limitMs;
  for (let waitMs = 100; ; waitMs = Math.min(1000, waitMs * 2)) {
    signal?.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (error instanceof KafkaRefusal) throw error;
      if (!isTransient(error))
        throw new KafkaRefusal(
          kafkaCodes(error)[0] ?? 'UNKNOWN',
          `${what}: Kafka refused: ${explain(error)}`,
          { cause: error },
        );
      if (performance.now() > giveUpAt)
        throw new Error(`${what}: no answer in ${Math.round(limitMs / 1000)} s: ${explain(error)}`, {
          cause: error,
        });
    }
    await delay(waitMs, undefined, signal === undefined ? {} : { signal });
  }
}
