import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach } from 'vitest';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { ClusterAccess } from '../../../../src/lab/kubernetes/api/access.ts';

const running: { server: Server; sockets: WebSocketServer; connections: Set<Socket> }[] = [];

afterEach(async () => {
  for (const { server, sockets, connections } of running.splice(0)) {
    for (const client of sockets.clients) client.terminate();
    // Those that were upgraded, or hang in their upgrade, are not the server's any more.
    for (const connection of connections) connection.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** How one connection behaves, after it is open. */
export type Script = (socket: WebSocket, url: URL, raw: Duplex) => void;

/**
 * Plays the API server's side of exec (v5.channel.k8s.io) for faults that a real one does not produce on demand.
 * `refuse` answers the upgrade itself; with `deaf` pings are never answered.
 */
export async function execServer(options: {
  readonly script?: Script;
  readonly deaf?: boolean;
  readonly refuse?: { readonly status: number; readonly body: string };
  readonly mute?: boolean;
}): Promise<{ access: ClusterAccess; urls: URL[] }> {
  const urls: URL[] = [];
  const server = createServer();
  const sockets = new WebSocketServer({
    noServer: true,
    autoPong: options.deaf !== true,
    handleProtocols: (offered) => (offered.has('v5.channel.k8s.io') ? 'v5.channel.k8s.io' : false),
  });
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    urls.push(url);
    if (options.mute === true) return;
    if (options.refuse !== undefined) {
      const { status, body } = options.refuse;
      socket.end(
        `HTTP/1.1 ${status} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => options.script?.(webSocket, url, socket));
  });
  const connections = connectionsOf(server);
  const access = await listen(server);
  running.push({ server, sockets, connections });
  return { access, urls };
}

/** Answers plain requests; the same way in for a client. */
export async function apiServer(
  answer: (request: IncomingMessage & { body: string }, response: ServerResponse) => void,
): Promise<ClusterAccess> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      answer(Object.assign(request, { body: Buffer.concat(chunks).toString() }), response);
    });
  });
  const connections = connectionsOf(server);
  const access = await listen(server);
  running.push({ server, sockets: new WebSocketServer({ noServer: true }), connections });
  return access;
}

function connectionsOf(server: Server): Set<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => connections.delete(socket));
  });
  return connections;
}

async function listen(server: Server): Promise<ClusterAccess> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return accessTo((server.address() as AddressInfo).port);
}

export function accessTo(port: number): ClusterAccess {
  return {
    name: 'test',
    server: `http://127.0.0.1:${port}`,
    authentication: { getName: () => 'none', applySecurityAuthentication: () => undefined },
    socketOptions: () => Promise.resolve({}),
  };
}

export const stdout = (text: string | Buffer): Buffer => Buffer.concat([Buffer.from([1]), Buffer.from(text)]);
export const stderr = (text: string): Buffer => Buffer.concat([Buffer.from([2]), Buffer.from(text)]);
export const closed = (channel: number): Buffer => Buffer.from([255, channel]);
export const status = (body: object): Buffer =>
  Buffer.concat([Buffer.from([3]), Buffer.from(JSON.stringify(body))]);
export const SUCCESS = { metadata: {}, status: 'Success' };
export const exitCode = (code: string): object => ({
  metadata: {},
  status: 'Failure',
  message: `command terminated with non-zero exit code: exit status ${code}`,
  reason: 'NonZeroExitCode',
  details: { causes: [{ reason: 'ExitCode', message: code }] },
});
