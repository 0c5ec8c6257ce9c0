import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments,
  visit,
  type YAMLError,
} from 'yaml';
import { type ParsedSpec, parseSpec } from './check.ts';
import type { IssueCode, Position, SpecIssue, SpecPath } from './issue.ts';

const MAX_TEXT_BYTES = 1024 * 1024;
/** YAML's own parser recurses: a text nested deeper than this is refused before it is parsed. */
const MAX_NESTING = 200;

/**
 * Reads a spec from YAML or JSON text. Every mistake comes back at once with line, column and an excerpt
 * with a caret; whatever the text is, nothing is thrown. `json` of the answer is what
 * `temporal workflow start --input-file` wants.
 */
export function readSpec(text: string, fileName: string): ParsedSpec {
  const source = text.replace(/^\uFEFF/, '');
  const place = (offset: number) => ({ file: fileName, ...positionAt(source, offset) });
  const refuse = (code: IssueCode, message: string, offset = 0): ParsedSpec => ({
    ok: false,
    issues: [{ code, path: [], at: 'value', message, position: place(offset) }],
  });
  if (source.length > MAX_TEXT_BYTES) return refuse('too-large', 'A spec has at most 1 MiB.');
  const deep = tooDeep(source);
  if (deep !== null)
    return refuse('too-large', `The spec is nested deeper than ${MAX_NESTING} levels.`, deep);
  try {
    const documents = parseAllDocuments(source, {
      prettyErrors: false,
      uniqueKeys: true,
      version: '1.2',
      logLevel: 'silent',
      stringKeys: true,
    });
    const [document, second] = Array.isArray(documents) ? documents : [];
    if (document === undefined)
      return refuse('missing', 'The spec is empty. It needs at least name, question and one factor.');
    if (second !== undefined)
      return refuse(
        'not-supported-yet',
        'Several documents in one file are part of the language, but not supported yet in this version; use one file for each.',
        second.range[0],
      );
    const broken = syntaxIssues(document, source, place);
    return broken.length > 0 ? { ok: false, issues: broken } : checked(document, place);
  } catch (error) {
    // The YAML library gives up on some hostile texts (alias bombs, deep flow collections) by throwing.
    return refuse(
      'syntax',
      `This text cannot be read as YAML: ${error instanceof Error ? error.message.split('\n')[0] : 'unknown reason'}.`,
    );
  }
}

function checked(document: Document.Parsed, place: (offset: number) => Position): ParsedSpec {
  const result = parseSpec(document.toJS({ maxAliasCount: 50 }));
  if (result.ok) return result;
  const issues = result.issues.map((issue) => ({ ...issue, position: place(offsetOf(document, issue)) }));
  return {
    ok: false,
    issues: issues.toSorted(
      (a, b) => a.position.line - b.position.line || a.position.column - b.position.column,
    ),
  };
}

/** Errors and warnings of the YAML itself (unknown tags are mere warnings there), in words that say what to do. */
function syntaxIssues(
  document: Document.Parsed,
  source: string,
  place: (offset: number) => Position,
): readonly SpecIssue[] {
  const issues = [...document.errors, ...document.warnings].map((error): SpecIssue => {
    const code = error.code === 'DUPLICATE_KEY' ? 'duplicate-key' : 'syntax';
    return { code, path: [], at: 'key', message: inWords(error, source), position: place(error.pos[0]) };
  });
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) === undefined)
        issues.push({
          code: 'syntax',
          path: [],
          at: 'value',
          message: `The alias *${alias.source} has no anchor before it.`,
          position: place(alias.range?.[0] ?? 0),
        });
    },
    Pair(_, pair) {
      if (isCollection(pair.key) || isAlias(pair.key))
        issues.push({
          code: 'syntax',
          path: [],
          at: 'key',
          message: 'A key is plain text, not a list, map or alias.',
          position: place((pair.key as Node).range?.[0] ?? 0),
        });
    },
  });
  return issues;
}

function inWords(error: YAMLError, source: string): string {
  if (error.code === 'DUPLICATE_KEY') {
    const key = /^[^\s:,{}]+/.exec(source.slice(error.pos[0]))?.[0] ?? '';
    return `The key ${key === '' ? '' : `"${key}" `}stands twice in one section; keep one of them.`;
  }
  if (error.code === 'TAB_AS_INDENT') return 'A tab is used as indentation; YAML allows only spaces.';
  const text = error.message.split('\n')[0] ?? '';
  return `This is no valid YAML: ${text.replace(/\.?$/, '.')}`;
}

/** Where an issue stands: its key or value, or the nearest section around it that exists. */
function offsetOf(document: Document.Parsed, issue: SpecIssue): number {
  let node: unknown = document.contents;
  let best = startOf(node) ?? 0;
  for (const [i, step] of issue.path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    const last = i === issue.path.length - 1;
    const [key, value] = child(node, step);
    if (key === undefined && value === undefined) return best;
    best =
      (last && issue.at === 'value' ? startOf(value) : undefined) ?? startOf(key) ?? startOf(value) ?? best;
    node = value;
  }
  return best;
}

function child(node: unknown, step: SpecPath[number]): readonly [key: unknown, value: unknown] {
  if (isSeq(node)) return [undefined, node.items[Number(step)]];
  if (!isMap(node)) return [undefined, undefined];
  const pair = node.items.find(
    (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step),
  );
  return pair ? [pair.key, pair.value] : [undefined, undefined];
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  const { range, value } = node as { range?: readonly number[] | null; value?: unknown };
  // An empty value has no text of its own; its key is the better place.
  return range && !(value === null && range[0] === range[1]) ? range[0] : undefined;
}

function positionAt(source: string, offset: number): Omit<Position, 'file'> {
  // Counted here and not by the parser, because a text may be refused before it is parsed.
  const before = source.slice(0, offset).split('\n');
  const line = before.length;
  const column = (before.at(-1) ?? '').length + 1;
  const text = (source.split(/\r?\n/)[line - 1] ?? '').replaceAll('\t', ' ');
  // A long line is cut so that the caret stays on the screen.
  const from = column > 100 ? column - 60 : 0;
  return { line, column, excerpt: `${text.slice(from, from + 120)}\n${' '.repeat(column - 1 - from)}^` };
}

/** Offset at which brackets or indentation first nest deeper than a spec ever does; null = nowhere. */
function tooDeep(source: string): number | null {
  let open = 0;
  for (let i = 0; i < source.length; i += 1) {
    const c = source[i];
    if (c === '[' || c === '{') open += 1;
    else if (c === ']' || c === '}') open = Math.max(0, open - 1);
    if (open > MAX_NESTING) return i;
  }
  const dashes = /^[ \t]*(?:[-?][ \t]+){40}/m.exec(source);
  return dashes ? dashes.index : null;
}
