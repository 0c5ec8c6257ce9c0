import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { formatIssues } from '../spec/issue.ts';
import { readSpec } from '../spec/read-yaml.ts';
import type { Spec } from '../spec/schema.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';

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
  const name = file === '-' ? 'stdin' : file;
  const parsed = readSpec(readText(file, name), name);
  if (!parsed.ok) {
    const count = parsed.issues.length === 1 ? 'One mistake' : `${parsed.issues.length} mistakes`;
    throw new CommandFailure(
      EXIT.usage,
      `${formatIssues(parsed.issues, name)}\n${count}; nothing was started.`,
    );
  }
  return { spec: parsed.spec, json: withAbsoluteStore(parsed.json) };
}

function readText(file: string, name: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'it may not be read' };
    const said = why[code as keyof typeof why] ?? message;
    throw new CommandFailure(EXIT.usage, `${name}: ${said}. Name a file with a spec, or - for stdin.`);
  }
}

/** A results folder is meant from where the user stands; the worker stands elsewhere. */
function withAbsoluteStore(json: unknown): unknown {
  const { store } = json as { store?: { folder?: unknown } };
  if (typeof store?.folder !== 'string' || isAbsolute(store.folder)) return json;
  return { ...(json as object), store: { ...store, folder: resolve(store.folder) } };
}
