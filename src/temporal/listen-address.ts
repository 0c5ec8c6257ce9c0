import { isIP } from 'node:net';
import { InfrastructureError } from '../lab/errors.ts';

/** Where one of the worker's endpoints listens. */
export interface ListenAddress {
  /** An IPv4 or IPv6 address, without brackets. */
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** `0.0.0.0:8086`, `[::]:8086`. */
  readonly text: string;
}

/**
 * Reads `ADDRESS:PORT` from an environment variable; null when it is unset or empty. No names of hosts: what a name means
 * can change, and Temporal's exporter takes none.
 *
 * @throws InfrastructureError for anything else.
 */
export function listenAddress(
  variable: string,
  env: Readonly<Record<string, string | undefined>>,
): ListenAddress | null {
  const text = env[variable] ?? '';
  if (text === '') return null;
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  const port = Number(digits);
  const fits = bracketed === undefined ? isIP(host) === 4 : isIP(host) === 6;
  if (fits && port <= 65_535) return { host, port, text };
  throw new InfrastructureError(
    'listen-address',
    `${variable} is ${JSON.stringify(text)}, which is no address to listen on.`,
    `Write an IP address and a port, e.g. ${variable}=0.0.0.0:8086 or [::]:8086, or leave it unset.`,
  );
}
