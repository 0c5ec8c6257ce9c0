import { basename, resolve } from 'node:path';
import type { Home } from '../lab/home.ts';
import { codecVaries, CONSTANT, payloadSpots } from '../spec/check-payload.ts';
import type { SpecIssue, SpecPath } from '../spec/issue.ts';
import type { Json } from '../spec/levels.ts';
import type { Spec } from '../spec/schema.ts';
import { type ReadPayload, readPayload } from './payload-file.ts';

/** The longest name of a file that a spec keeps. */
const MAX_NAME = 200;

export interface PayloadsRead {
  /** The spec with what was read in the place of each file's name. */
  readonly json: Json;
  readonly issues: readonly SpecIssue[];
  readonly notes: readonly string[];
}

/** Reads the files of records that a spec names; `folderOf` says from where a name at a path is meant. */
export function payloadsRead(
  spec: Spec,
  json: Json,
  folderOf: (path: SpecPath) => string,
  home: Home | null,
): PayloadsRead {
  const { spots, issues: unnamed } = payloadSpots(spec);
  const issues: SpecIssue[] = [...unnamed];
  const notes: string[] = [];
  const known = new Map<string, ReadPayload>();
  let result = json;
  for (const { path, file } of spots) {
    const whole = resolve(folderOf(path), file);
    const read = known.get(whole) ?? readPayload(whole, home);
    const wrong = whatIsWrong(spec, read);
    if (read.ok && !read.facts.complete && !known.has(whole))
      notes.push(
        `${file}: the last line has no newline. If the file was cut off, so is its last record; it is used as it is.`,
      );
    known.set(whole, read);
    if (wrong !== null)
      issues.push({ code: 'wrong-value', path, at: 'value', message: `"${file}": ${wrong}` });
    else if (read.ok) {
      const { sha256, bytes, lines } = read.facts;
      result = replaced(result, path, { name: nameOf(file), sha256, bytes, lines });
    }
  }
  return { json: result, issues, notes };
}

function whatIsWrong(spec: Spec, read: ReadPayload): string | null {
  if (!read.ok) return `${read.why}.`;
  return read.facts.constant && codecVaries(spec) ? CONSTANT : null;
}

function nameOf(file: string): string {
  return file.length <= MAX_NAME ? file : basename(file).slice(-MAX_NAME);
}

function replaced(json: Json, [key, ...rest]: SpecPath, value: unknown): Json {
  if (key === undefined) return json;
  if (Array.isArray(json)) {
    const inner = json.map((one, i) =>
      i === key ? (rest.length === 0 ? value : replaced(one, rest, value)) : one,
    );
    return inner as unknown as Json;
  }
  const inner = json[key] as Json;
  return { ...json, [key]: rest.length === 0 ? value : replaced(inner, rest, value) };
}
