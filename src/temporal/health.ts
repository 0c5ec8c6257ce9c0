import { connect } from 'node:http2';
import { connect as connectTcp } from 'node:net';

/**
 * Whether a Temporal server answers SERVING: grpc.health.v1.Health/Check by hand over HTTP/2. The supervisor asks
 * every two seconds beside running measurements: one small request, without the SDK's client, its retries and its
 * 10 s of connecting.
 */
export function isServing(address: string, timeoutMs = 3_000): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect(`http://${address}`);
    const finish = (serving: boolean) => {
      clearTimeout(timer);
      session.destroy();
      resolve(serving);
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    session.on('error', () => finish(false));
    const request = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => finish(false));
    // HealthCheckResponse{status: SERVING} in one uncompressed gRPC frame.
    request.on('end', () => finish(Buffer.concat(chunks).equals(Buffer.from([0, 0, 0, 0, 2, 8, 1]))));
    // gRPC frame: not compressed, then the length of what follows.
    request.end(healthRequest('temporal.api.workflowservice.v1.WorkflowService'));
  });
}

function healthRequest(service: string): Buffer {
  const name = Buffer.from(service);
  const message = Buffer.concat([Buffer.from([0x0a, name.length]), name]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/**
 * Whether nobody listens on a port of this machine. It knocks instead of binding: a bind, however short, would make
 * another one at the same moment fail, such as the server's own.
 */
export function isPortFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port, timeout: 2_000 });
    const finish = (free: boolean) => {
      socket.destroy();
      resolve(free);
    };
    socket.once('connect', () => finish(false));
    socket.once('timeout', () => finish(false));
    socket.once('error', (error: NodeJS.ErrnoException) => finish(error.code === 'ECONNREFUSED'));
  });
}
