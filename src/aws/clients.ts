/** Where AWS is asked: everything else (endpoint, profile, role) comes from the environment as the SDK reads it. */
export interface AwsSite {
  readonly region: string;
}

/**
 * Settings of every client. The SDK's own retries are off: `patiently` retries, with what it waits for said aloud. A
 * connection that is silent for half a minute counts as broken.
 */
export const CLIENT_SETTINGS = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
} as const;

/** A client that can be made anew, since one keeps the credentials that it found first. */
export interface Renewable<Client> {
  get(): Client;
  readonly renew: () => void;
}

/** Makes the client when it is first asked for. */
export function renewable<Client extends { destroy(): void }>(make: () => Client): Renewable<Client> {
  let client: Client | undefined;
  return {
    get: () => (client ??= make()),
    renew: () => {
      client?.destroy();
      client = undefined;
    },
  };
}
