import { closeSync, openSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { formatIssues } from '../spec/issue.ts';
import { readSpec } from '../spec/read-yaml.ts';
import type { Spec } from '../spec/schema.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';

const NAME_ONE = 'Name a file with a spec, or - for stdin.';
/** Just above what the reader of specs takes, so that it says so itself. */
const MAX_BYTES = 1024 * 1024 + 1;

export interface LoadedSpec {
  readonly spec: Spec;
  /** The workflow's argument: what `assay resolve` prints. */
  readonly json: unknown;
}

/**
 * Reads and checks a spec from a file, or from stdin for `-`.
 *
 * @throws CommandFailure with every mistake and its place, exit code 2.
 */
export function loadSpec(file: string): LoadedSpec {
  if (file === '') throw new CommandFailure(EXIT.usage, `The name of the spec is empty. ${NAME_ONE}`);
  const name = file === '-' ? 'stdin' : file;
  const parsed = readSpec(readText(file, name), name);
  if (!parsed.ok) {
    const count = parsed.issues.length === 1 ? 'One mistake' : `${parsed.issues.length} mistakes`;
    throw new CommandFailure(
      EXIT.usage,
      `${formatIssues(parsed.issues, name)}\n${count}; nothing was started.`,
    );
  }
  return { spec: parsed.spec, json: withAbsoluteStore(parsed.json, name) };
}

function readText(file: string, name: string): string {
  try {
    return readAtMost(file, MAX_BYTES);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'it may not be read' };
    const said = why[code as keyof typeof why] ?? message;
    throw new CommandFailure(EXIT.usage, `${name}: ${said}. ${NAME_ONE}`);
  }
}

/** A device or a pipe may have no end: more than a spec may hold is never read. */
function readAtMost(file: string, limit: number): string {
  const fd = file === '-' ? 0 : openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(limit + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= limit; length += read) {
      read = readSync(fd, bytes, length, bytes.length - length, null);
    }
    return bytes.toString('utf8', 0, length);
  } finally {
    if (file !== '-') closeSync(fd);
  }
}

/**
 * A results folder is meant from where the user stands, with `~` as in a shell; the worker stands elsewhere.
 *
 * @throws CommandFailure for another user's home, which only a shell knows.
 */
function withAbsoluteStore(json: unknown, name: string): unknown {
  const { store } = json as { store?: { folder?: unknown } };
  if (typeof store?.folder !== 'string' || isAbsolute(store.folder)) return json;
  const [first = '', ...rest] = store.folder.split('/');
  if (first.startsWith('~') && first !== '~') {
    throw new CommandFailure(
      EXIT.usage,
      `${name}: store.folder: "${store.folder}" names another user's home, which is not looked up. Write the whole path (or ./${store.folder} for a folder of that name); nothing was started.`,
    );
  }
  const folder = first === '~' ? resolve(homedir(), ...rest) : resolve(store.folder);
  return { ...(json as object), store: { ...store, folder } };
}
