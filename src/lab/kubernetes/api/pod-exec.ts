import type { IncomingMessage, RequestOptions } from 'node:http';
import { WebSocket } from 'ws';
import type { RawData } from 'ws';
import type { ClusterAccess } from './access.ts';
import { ClusterError } from './cluster-error.ts';
import type { ClusterErrorCode } from './cluster-error.ts';
import type { Cluster, ExecOptions, ExecOutcome, ExecTarget } from './cluster.ts';
import { ExecChannels } from './exec-channels.ts';
import { readAnswer } from './read-failure.ts';
import { createSlots } from './slots.ts';

type Unknown = Extract<ExecOutcome, { kind: 'unknown' }>;

export interface ExecTimes {
  /** A ping each … */
  readonly pingEveryMs: number;
  /** … and without any sign of life for so long the connection is given up. */
  readonly silenceMs: number;
  /** After a status the server closes; what it still sends of stdout is taken until then. */
  readonly lingerMs: number;
}

const TIMES: ExecTimes = { pingEveryMs: 5_000, silenceMs: 15_000, lingerMs: 2_000 };
const STDOUT_LIMIT_BYTES = 16 * 1024 * 1024;
const AT_ONCE = 24;
/** With less time than this nobody would hear the answer of a command: it is not started. */
const LEAST_MS = 50;
/** Newest first. From version 5 on a channel can be closed by itself. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
/** Failures of connecting after which nothing can have been started. */
const NOT_CONNECTED = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT|SIGNATURE|ERR_TLS/;

/**
 * Cluster.exec over WebSockets, at most 24 at once. A command's end is only what the server says in its status: a socket that
 * closes, fails or falls silent leaves it unknown. The command itself is never ended from here.
 */
export function createPodExec(access: ClusterAccess, times: ExecTimes = TIMES): Cluster['exec'] {
  const slots = createSlots(AT_ONCE);
  return async (target, argv, options) => {
    const end = performance.now() + options.deadlineMs;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new Error('deadline')), options.deadlineMs);
    const signals = options.signal === undefined ? [timeout.signal] : [options.signal, timeout.signal];
    const signal = AbortSignal.any(signals);
    try {
      options.signal?.throwIfAborted();
      const free = await slots.take(signal);
      try {
        const socketOptions = await withinTime(access.socketOptions(), signal);
        const leftMs = end - performance.now();
        if (leftMs < LEAST_MS && leftMs < options.deadlineMs / 2) throw new Error('deadline');
        const call = { target, argv, options, leftMs, signal, times };
        return await new ExecCall(access.server, socketOptions, call).outcome;
      } finally {
        free();
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      return notStarted(error, options.deadlineMs);
    } finally {
      clearTimeout(timer);
    }
  };
}

function notStarted(error: unknown, deadlineMs: number): Unknown {
  const nothing = { stdout: Buffer.alloc(0), stderr: '' };
  if (error instanceof ClusterError) {
    return { kind: 'unknown', why: error.message, started: 'no', code: meaning(error.code), ...nothing };
  }
  const why = `It was not started within ${deadlineMs} ms.`;
  return { kind: 'unknown', why, started: 'no', code: 'deadline', ...nothing };
}

/** A credential plugin knows no signal. */
function withinTime<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}

interface CallFacts {
  readonly target: ExecTarget;
  readonly argv: readonly string[];
  readonly options: ExecOptions;
  readonly leftMs: number;
  readonly signal: AbortSignal;
  readonly times: ExecTimes;
}

/** One socket, from its opening to the one outcome. */
class ExecCall {
  readonly outcome: Promise<ExecOutcome>;
  readonly #call: CallFacts;
  readonly #channels: ExecChannels;
  readonly #socket: WebSocket;
  #settle: (outcome: ExecOutcome) => void = () => {};
  #fail: (reason: unknown) => void = () => {};
  #opened = false;
  /** Ticks since the server was last heard. */
  #unanswered = 0;
  #pings: NodeJS.Timeout | undefined;
  #linger: NodeJS.Timeout | undefined;

  constructor(server: string, socketOptions: RequestOptions, call: CallFacts) {
    this.#call = call;
    this.#channels = new ExecChannels(call.options.stdoutLimitBytes ?? STDOUT_LIMIT_BYTES);
    this.outcome = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
    this.#socket = new WebSocket(execUrl(server, call.target, call.argv), PROTOCOLS, {
      ...socketOptions,
      perMessageDeflate: false,
      // Above the largest message of a kubelet; a longer one is not from Kubernetes.
      maxPayload: 32 * 1024 * 1024,
    });
    this.#listen();
  }

  /** All at once, before anything can happen. An `error` that nobody hears would end the whole process. */
  #listen(): void {
    const socket = this.#socket;
    const abort = (): void => this.#calledOff();
    this.#call.signal.addEventListener('abort', abort, { once: true });
    if (this.#call.signal.aborted) abort();
    socket.on('error', (error) => this.#broken(error));
    socket.on('close', (code) => this.#closed(code));
    socket.on('unexpected-response', (_request, response) => void this.#refused(response));
    socket.on('open', () => this.#open());
    socket.on('message', (data) => this.#heard(data));
    socket.on('pong', () => {
      this.#unanswered = 0;
    });
    void this.outcome
      .catch(() => {})
      .then(() => {
        this.#call.signal.removeEventListener('abort', abort);
        clearInterval(this.#pings);
        clearTimeout(this.#linger);
        socket.terminate();
      });
  }

  #open(): void {
    this.#opened = true;
    const { pingEveryMs, silenceMs } = this.#call.times;
    this.#pings = setInterval(() => {
      // How it ended is known: only the close is waited for.
      if (this.#channels.status !== null) return;
      // Counted by our own ticks, not by a clock: while we stand still, what the server says lies unread.
      if ((this.#unanswered + 1) * pingEveryMs >= silenceMs) {
        this.#unknown(`The API server has been silent for ${silenceMs / 1000} s.`, 'unreachable');
        return;
      }
      this.#unanswered += 1;
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
    }, pingEveryMs);
  }

  #heard(data: RawData): void {
    this.#unanswered = 0;
    // ws gives a Buffer unless it is told otherwise.
    const message = data as Buffer;
    if (!this.#channels.take(message)) {
      const limit = this.#call.options.stdoutLimitBytes ?? STDOUT_LIMIT_BYTES;
      this.#unknown(`It printed more than ${limit} bytes.`, 'cut');
    } else if (this.#channels.status !== null && this.#linger === undefined) {
      this.#linger = setTimeout(() => this.#end(), this.#call.times.lingerMs);
      this.#socket.close(1000);
    }
  }

  #closed(code: number): void {
    if (this.#channels.status !== null) this.#end();
    else this.#unknown(`The connection was closed (${code}) without a status.`, 'unreachable');
  }

  #broken(error: Error & { code?: string }): void {
    // After the status nothing can be lost that a frame would not show.
    if (this.#channels.status !== null) return this.#end();
    const text = `${error.code ?? ''} ${error.message || 'no connection'}`.trim();
    const started = !this.#opened && NOT_CONNECTED.test(text) ? 'no' : 'maybe';
    this.#unknown(`The connection to the API server failed: ${text}.`, 'unreachable', started);
  }

  /** A plain answer in place of a socket: nothing was started. */
  async #refused(response: IncomingMessage): Promise<void> {
    const body = await readBody(response);
    const { namespace, pod } = this.#call.target;
    const what = `run a command in ${namespace}/${pod}`;
    const { error } = readAnswer(response.statusCode ?? 0, body, headersOf(response), what);
    this.#unknown(error.message, meaning(error.code), 'no');
  }

  #calledOff(): void {
    if (this.#call.options.signal?.aborted === true) this.#fail(this.#call.options.signal.reason);
    else if (this.#channels.status !== null) this.#end();
    else {
      const { deadlineMs } = this.#call.options;
      this.#unknown(`\`${this.#call.argv[0]}\` did not end within ${deadlineMs} ms.`, 'deadline');
    }
  }

  #end(): void {
    const { status } = this.#channels;
    const output = { stdout: this.#channels.stdout(), stderr: this.#channels.stderr() };
    if (status?.kind === 'exit') this.#settle({ kind: 'exit', code: status.code, ...output });
    else if (status !== null) {
      const { why, started, code } = status;
      this.#settle({ kind: 'unknown', why, started, code, ...output });
    }
  }

  #unknown(why: string, code: Unknown['code'], started: Unknown['started'] = 'maybe'): void {
    const output = { stdout: this.#channels.stdout(), stderr: this.#channels.stderr() };
    this.#settle({ kind: 'unknown', why, started, code, ...output });
  }
}

/** The address of an exec; stdin is never asked for. */
export function execUrl(server: string, target: ExecTarget, argv: readonly string[]): string {
  const query = new URLSearchParams([
    ['container', target.container],
    ['stdin', 'false'],
    ['stdout', 'true'],
    ['stderr', 'true'],
    ['tty', 'false'],
    ...argv.map((argument): [string, string] => ['command', argument]),
  ]);
  const { namespace, pod } = target;
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec`;
  return `${server.replace(/^http/, 'ws').replace(/\/$/, '')}${path}?${query.toString()}`;
}

function meaning(code: ClusterErrorCode): Unknown['code'] {
  const same = ['not-found', 'forbidden', 'expired-credentials', 'unreachable'] as const;
  return same.find((known) => known === code) ?? 'other';
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > 64 * 1024) break;
      chunks.push(chunk);
    }
  } catch {
    // What came is enough for a message.
  }
  return Buffer.concat(chunks).toString();
}

function headersOf(response: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
}
