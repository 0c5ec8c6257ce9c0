import { readFileSync } from 'node:fs';
import { unframe } from './capsule/answer.ts';
import { CapsuleError } from './capsule/capsule-error.ts';
import type { Transport } from './transport.ts';

/** Runs the script that stands in its first argument and adds a line with the hash of all that it printed. */
const FRAME =
  '{ hash=$({ bash -c "$@" | tee >(sha256sum >&4) >&3; } 4>&1); } 3>&1; printf "assay-frame %s\\n" "${hash%% *}"';
const ATTEMPTS = 3;

/** The text of a script that lies beside a module. @param module its `import.meta.url` */
export function scriptText(name: string, module: string): string {
  return readFileSync(new URL(name, module), 'utf8');
}

/** A script and what it is handed; no value is ever seen by a shell's parser. */
export interface Look {
  /** Its name, for messages and as `$0`. */
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly deadlineMs: number;
}

/**
 * What a short script prints on a host, whole or not at all: an answer that was cut on the way is asked for again, so
 * the script must be one that may run twice. Rejects with a CapsuleError `transport`.
 */
export async function look(transport: Transport, { name, script, args, deadlineMs }: Look): Promise<string> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { stdout } = await transport.exec(
      ['bash', '-c', FRAME, 'assay', script, name, ...args],
      deadlineMs,
    );
    const answer = unframe(stdout);
    if (answer !== null) return answer.toString('utf8');
  }
  throw new CapsuleError('transport', `\`${name}\` came back broken ${ATTEMPTS} times.`);
}
