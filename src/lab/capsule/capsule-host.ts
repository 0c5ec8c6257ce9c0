import { createHash, randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CapsulePoll, CapsuleSpec, Host, HostIdentity } from '../host.ts';
import type { Transport } from '../transport.ts';
import { parsePoll, unframe } from './answer.ts';
import type { PollAnswer } from './answer.ts';
import { CapsuleError } from './capsule-error.ts';
import type { CapsuleErrorCode } from './capsule-error.ts';
import { checkName, launchFile, parseIdentity } from './launch-file.ts';

/** Most bytes of each stream that one poll or read returns; the next call goes on from there. */
export const MAX_BYTES_PER_CALL = 4 * 1024 * 1024;
const CALL_DEADLINE_MS = 20_000;
/** A kill may wait 10 s for the runner and 10 s for proof. */
const KILL_DEADLINE_MS = 40_000;
const CLAIM_DEADLINE_MS = 30_000;
const CLAIM_POLL_MS = 25;
const ATTEMPTS = 3;

export interface CapsuleHostOptions {
  readonly name: string;
  /** Absolute folder on the host below which capsules and payloads live; made when first needed. */
  readonly root: string;
  readonly transport: Transport;
  /** Absolute path of capsule.sh on the host; processes.sh, streams.sh and runner.sh lie beside it. */
  readonly script: string;
}

/**
 * A host whose processes are capsules (design §4). It keeps no state: any number of hosts, in any process, may look
 * at the same root at once. All calls reject with a CapsuleError.
 */
export function createCapsuleHost(options: CapsuleHostOptions): Host {
  return new CapsuleHost(options);
}

class CapsuleHost implements Host {
  readonly name: string;
  readonly #root: string;
  readonly #transport: Transport;
  readonly #script: string;

  constructor(options: CapsuleHostOptions) {
    this.name = options.name;
    this.#root = options.root;
    this.#transport = options.transport;
    this.#script = options.script;
  }

  pathOf(name: string, file: string): string {
    checkName(name);
    return posix.join(this.#root, name, file);
  }

  async identity(): Promise<HostIdentity> {
    return parseIdentity((await this.#ask(['identity'])).toString());
  }

  async launch(capsule: CapsuleSpec): Promise<void> {
    const file = launchFile(capsule);
    if ((await this.poll(capsule.name)).state !== 'absent') return;
    // Each launch brings its own file, so that a race of launches never mixes two; the token also marks every
    // process of the capsule.
    const token = randomUUID();
    await this.#transport.write(posix.join(this.#root, capsule.name, `launch.${token}`), file);
    await this.#transport.detach(['bash', this.#script, 'run', this.#root, capsule.name, token]);
    await this.#awaitClaim(capsule.name, token);
  }

  async poll(name: string, from = { stdout: 0, stderr: 0 }): Promise<CapsulePoll> {
    return (await this.#poll(name, from, MAX_BYTES_PER_CALL)).poll;
  }

  async kill(name: string): Promise<void> {
    checkName(name);
    await this.#ask(['kill', this.#root, name], KILL_DEADLINE_MS);
  }

  async remove(name: string): Promise<void> {
    checkName(name);
    await this.#ask(['remove', this.#root, name], KILL_DEADLINE_MS);
  }

  async list(prefix: string): Promise<readonly string[]> {
    if (prefix !== '') checkName(prefix);
    const names = (await this.#ask(['list', this.#root, prefix])).toString().split('\n');
    return [...new Set(names.filter((name) => name !== ''))].sort();
  }

  async readFile(name: string, file: string): Promise<Buffer> {
    checkName(name);
    checkName(file);
    const parts: Buffer[] = [];
    for (let offset = 0; ; offset += MAX_BYTES_PER_CALL) {
      const part = await this.#ask([
        'read',
        this.#root,
        name,
        file,
        String(offset),
        String(MAX_BYTES_PER_CALL),
      ]);
      parts.push(part);
      if (part.length < MAX_BYTES_PER_CALL) return Buffer.concat(parts);
    }
  }

  async putFile(relativePath: string, content: Buffer, sha256: string): Promise<string> {
    checkName(relativePath);
    if (createHash('sha256').update(content).digest('hex') !== sha256) {
      throw new CapsuleError(
        'invalid',
        `The content for ${relativePath} does not have the SHA-256 ${sha256}.`,
      );
    }
    const path = posix.join(this.#root, '.files', relativePath);
    if ((await this.#hash(path)) === sha256) return path;
    await this.#transport.write(path, content);
    const written = await this.#hash(path);
    if (written !== sha256) {
      throw new CapsuleError(
        'transport',
        `${path} was written to ${this.name} but has the SHA-256 ${written}, not ${sha256}.`,
      );
    }
    return path;
  }

  async #hash(path: string): Promise<string> {
    return (await this.#ask(['hash', path])).toString().split(' ')[0] ?? '';
  }

  async #poll(name: string, from: { stdout: number; stderr: number }, maxBytes: number): Promise<PollAnswer> {
    checkName(name);
    const peeked = await this.#transport.peek?.(posix.join(this.#root, name), from, maxBytes);
    if (peeked) return peeked;
    const offsets = [from.stdout, from.stderr, maxBytes].map(String);
    return parsePoll(await this.#ask(['poll', this.#root, name, ...offsets]), from);
  }

  async #awaitClaim(name: string, token: string): Promise<void> {
    const end = performance.now() + CLAIM_DEADLINE_MS;
    while (performance.now() < end) {
      const { poll, refused } = await this.#poll(name, { stdout: 0, stderr: 0 }, 0);
      if (poll.state !== 'absent') return;
      const reason = refused.find((entry) => entry.startsWith(`${token}.`));
      if (reason !== undefined) throw refusal(this.name, name, reason.slice(token.length + 1));
      await sleep(CLAIM_POLL_MS);
    }
    throw new CapsuleError(
      'not-claimed',
      `Nobody claimed the capsule ${name} on ${this.name} within ${CLAIM_DEADLINE_MS / 1000} s. Launching again is safe.`,
    );
  }

  /** Every verb may be asked again: an answer that came back broken says nothing about what was done. */
  async #ask(argv: readonly string[], deadlineMs = CALL_DEADLINE_MS): Promise<Buffer> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { stdout } = await this.#transport.exec(['bash', this.#script, ...argv], deadlineMs);
      const payload = unframe(stdout);
      if (payload !== null) return payload;
    }
    throw new CapsuleError(
      'transport',
      `${this.name} answered \`${argv[0]}\` ${ATTEMPTS} times with a broken frame.`,
    );
  }
}

function refusal(host: string, name: string, reason: string): CapsuleError {
  const texts: Record<string, string> = {
    identity: `${host} is not the host that was prepared (another boot, pod or container): ${name} was not started.`,
    'disk-full': `There is no room for the records of ${name} on ${host}: it was not started.`,
    pattern: `countStderr of ${name} is no extended regular expression: it was not started.`,
  };
  return new CapsuleError(reason as CapsuleErrorCode, texts[reason] ?? `${host} refused ${name}: ${reason}.`);
}
