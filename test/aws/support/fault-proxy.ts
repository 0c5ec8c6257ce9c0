import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it was sent. */
export interface Recorded {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** `GetMetricData` (AWS JSON), `DescribeVolumes` (EC2 query); empty for S3. */
  readonly operation: string;
}

/** What happens to a request instead of, or on the way to, what it asked. */
export type Fault =
  /** An answer of our own; the service is not asked. */
  | { readonly kind: 'answer'; readonly status: number; readonly type: string; readonly body: string }
  /** The connection breaks before the service gets anything. */
  | { readonly kind: 'refuse' }
  /** The service does what it was asked; the connection breaks after so many bytes of its answer. */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** The service's answer with other headers. */
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string>> };

type Matches = (request: Recorded) => boolean;

/** Stands before moto, which has no throttling, no pages, no partial data, and breaks no connection. */
export interface FaultProxy {
  readonly url: string;
  /** Every request since the start or the last `clear`, those that met a fault too. */
  readonly requests: readonly Recorded[];
  /** The next `times` requests that match meet this fault. Faults are used up in the order in which they were set. */
  fail(matches: Matches, fault: Fault, times?: number): void;
  /** Forgets requests and faults. */
  clear(): void;
  stop(): Promise<void>;
}

/** Starts it on a free port of the loopback. */
export async function startFaultProxy(upstream: string): Promise<FaultProxy> {
  const requests: Recorded[] = [];
  const faults: { readonly matches: Matches; readonly fault: Fault; left: number }[] = [];
  const server = createServer((incoming, outgoing) => {
    void receive(incoming)
      .then((recorded) => {
        requests.push(recorded);
        const meets = faults.find((one) => one.left > 0 && one.matches(recorded));
        if (meets !== undefined) meets.left -= 1;
        answer(upstream, recorded, outgoing, meets?.fault);
      })
      .catch(() => incoming.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fail: (matches, fault, times = 1) => void faults.push({ matches, fault, left: times }),
    clear: () => {
      requests.length = 0;
      faults.length = 0;
    },
    stop: () => stopped(server),
  };
}

/** Requests of an operation. */
export function of(operation: string): Matches {
  return (recorded) => recorded.operation === operation;
}

/** Requests to S3, by method and what path and query match. */
export function s3(method: string, path: RegExp = /./): Matches {
  return (recorded) => recorded.method === method && path.test(recorded.path);
}

async function receive(incoming: IncomingMessage): Promise<Recorded> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([k, v]) => [k, String(v)]));
  const target = headers['x-amz-target']?.split('.').at(-1);
  const form = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  const action = form ? new URLSearchParams(body.toString('utf8')).get('Action') : null;
  const { method = '', url: path = '' } = incoming;
  return { method, path, headers, body, operation: target ?? action ?? '' };
}

function answer(upstream: string, recorded: Recorded, outgoing: ServerResponse, fault?: Fault): void {
  if (fault?.kind === 'refuse') {
    outgoing.destroy();
    return;
  }
  if (fault?.kind === 'answer') {
    outgoing.writeHead(fault.status, { 'content-type': fault.type });
    outgoing.end(recorded.method === 'HEAD' ? undefined : fault.body);
    return;
  }
  const { method, path, headers, body } = recorded;
  // Signatures are not checked; some bodies say where their files are by the host that was asked.
  const asked = request(`${upstream}${path}`, {
    method,
    headers: { ...headers, 'content-length': body.length },
  });
  asked.on('error', () => outgoing.destroy());
  asked.on('response', (response) => {
    const changed = fault?.kind === 'headers' ? fault.headers : {};
    outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, ...changed });
    if (fault?.kind === 'reset') cutAfter(response, outgoing, fault.afterBytes);
    else response.pipe(outgoing);
  });
  asked.end(body);
}

function cutAfter(response: IncomingMessage, outgoing: ServerResponse, bytes: number): void {
  let left = bytes;
  response.on('data', (chunk: Buffer) => {
    if (left <= 0) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    outgoing.write(part, () => {
      if (left <= 0) outgoing.destroy();
    });
  });
  response.on('end', () => outgoing.destroy());
  if (bytes <= 0) outgoing.destroy();
}

async function stopped(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
