import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InfrastructureError } from '../lab/errors.ts';
import type { ListenAddress } from './listen-address.ts';

/** What the two pages answer; null = yes, else why not, in one sentence. */
export interface Health {
  /** Whether the process can go on; that it answers at all says most of it. */
  live(): string | null;
  /** Whether it takes work. May take its time: the server answers no after two seconds. */
  ready(): Promise<string | null>;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

const ANSWER_MS = 2_000;

/**
 * `/livez` and `/readyz` as Kubernetes asks for them: 200 `ok`, or 503 with the reason. Nothing else is told, and nothing can
 * be changed by it.
 *
 * @throws InfrastructureError when the address cannot be listened on.
 */
export async function startHealthServer(address: ListenAddress, health: Health): Promise<HealthServer> {
  const server = createServer((request, response) => {
    void answer(request, response, health);
  });
  await listening(server, address);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, health: Health): Promise<void> {
  const page = (request.url ?? '').replace(/\?.*$/, '');
  if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'GET only');
  if (page === '/livez') return sendAnswer(response, health.live());
  if (page === '/readyz') return sendAnswer(response, await inTime(health));
  return send(response, 404, 'there are /livez and /readyz');
}

async function inTime(health: Health): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${ANSWER_MS} ms`), ANSWER_MS);
  });
  try {
    return await Promise.race([health.ready(), late]);
  } catch (error) {
    return (error as Error).message;
  } finally {
    clearTimeout(timer);
  }
}

function sendAnswer(response: ServerResponse, reason: string | null): void {
  send(response, reason === null ? 200 : 503, reason ?? 'ok');
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${text}\n`);
}

function listening(server: Server, { host, port, text }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new InfrastructureError(
          'health-address',
          `The health server cannot listen on ${text}: ${cause.code ?? cause.message}.`,
          'Set ASSAY_HEALTH_ADDRESS to a free port of this machine, or leave it unset.',
          { cause },
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
}
