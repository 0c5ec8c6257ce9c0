import type { V1Status } from '@kubernetes/client-node';

const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const STDERR_LIMIT_BYTES = 64 * 1024;

/** What the API server said about how a command ended. */
export type ExecStatus =
  | { readonly kind: 'exit'; readonly code: number }
  | {
      readonly kind: 'failed';
      readonly why: string;
      readonly started: 'no' | 'maybe';
      readonly code: 'not-found' | 'unreachable' | 'other';
    };

/**
 * Takes apart the messages of an exec socket: the first byte names the channel (1 stdout, 2 stderr, 3 status, 255 says that
 * a channel is closed). A message is no line and no character: bytes are kept as bytes. Never throws.
 */
export class ExecChannels {
  readonly #stdout: Buffer[] = [];
  readonly #stderr: Buffer[] = [];
  readonly #limitBytes: number;
  #stdoutBytes = 0;
  #stderrBytes = 0;
  /** The first status; later ones say nothing new. */
  status: ExecStatus | null = null;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** False: stdout has more bytes than are taken; what came before stays. */
  take(message: Buffer): boolean {
    const [channel] = message;
    const body = message.subarray(1);
    if (channel === STDOUT) {
      this.#stdoutBytes += body.length;
      if (this.#stdoutBytes > this.#limitBytes) return false;
      this.#stdout.push(body);
    } else if (channel === STDERR) {
      const room = STDERR_LIMIT_BYTES - this.#stderrBytes;
      if (room > 0) this.#stderr.push(body.subarray(0, room));
      this.#stderrBytes += body.length;
    } else if (channel === STATUS && body.length > 0) {
      this.status ??= readStatus(body.toString());
    }
    return true;
  }

  stdout(): Buffer {
    return Buffer.concat(this.#stdout);
  }

  stderr(): string {
    return Buffer.concat(this.#stderr).toString();
  }
}

/** Success is code 0; an exit code stands as text in the causes; anything else says that there is none. */
export function readStatus(text: string): ExecStatus {
  let status: V1Status;
  try {
    status = JSON.parse(text) as V1Status;
  } catch {
    return {
      kind: 'failed',
      why: `Its status is no JSON: ${text.slice(0, 200)}`,
      started: 'maybe',
      code: 'other',
    };
  }
  if (status.status === 'Success') return { kind: 'exit', code: 0 };
  const said = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message ?? '';
  if (/^\d{1,3}$/.test(said)) return { kind: 'exit', code: Number(said) };
  const why = status.message ?? text.slice(0, 200);
  return { kind: 'failed', why, ...meaningOf(why) };
}

function meaningOf(why: string): Pick<ExecStatus & { kind: 'failed' }, 'started' | 'code'> {
  if (/container not found|container .* is not (created or )?running|pod .* not found/i.test(why)) {
    return { started: 'no', code: 'not-found' };
  }
  if (/error dialing backend|unable to upgrade connection|connection refused/i.test(why)) {
    return { started: 'no', code: 'unreachable' };
  }
  const started = /executable file not found|no such file or directory|unable to start container process/i;
  return { started: started.test(why) ? 'no' : 'maybe', code: 'other' };
}
