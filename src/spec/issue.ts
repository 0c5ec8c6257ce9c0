import { visible } from './visible.ts';

/** A step into a spec: a key, or an index of a list. */
export type SpecPath = readonly (string | number)[];

/** One mistake of a spec: what, where, why and what to do, in plain words. */
export interface SpecIssue {
  readonly code: IssueCode;
  readonly path: SpecPath;
  /** Whether the key itself is wrong or its value. */
  readonly at: 'key' | 'value';
  readonly message: string;
  /** Other settings that make the mistake together with it: it is shown at the first that is written down. */
  readonly orAt?: readonly SpecPath[];
  /** Known when the spec was read from text. */
  readonly position?: Position;
}

export interface Position {
  /** As the user named it. */
  readonly file: string;
  /** From 1; 0 = the command line, which has no lines. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** The line of the text, and below it a caret; both without a line number. */
  readonly excerpt: string;
}

export type IssueCode =
  /** The text is no YAML or JSON at all. */
  | 'syntax'
  | 'duplicate-key'
  | 'unknown-key'
  | 'missing'
  | 'wrong-type'
  | 'wrong-value'
  | 'wrong-unit'
  /** Part of the language, but not of this version. */
  | 'not-supported-yet'
  /** A name that refers to nothing: topic, host, factor, level, scenario, path. */
  | 'unknown-name'
  | 'unknown-property'
  /** Refused for safety: secrets, classes, files (design §11). */
  | 'refused'
  /** Each part is right, together they cannot be. */
  | 'contradiction'
  | 'too-large';

/** A remark on a spec that is valid. */
export interface SpecAdvice {
  readonly code: string;
  readonly message: string;
}

/** `producers.p.config.linger.ms`, `scenarios[1].vary`. */
export function pathText(path: SpecPath): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${step}`))
    .join('');
}

function placeText({ file, line, column }: Position): string {
  return line === 0 ? file : `${file}:${line}:${column}`;
}

/**
 * All issues as text for a terminal: file, line, column, message, excerpt with caret. No stack, ever.
 * `source` names what was read where an issue has no position (plain JSON).
 */
export function formatIssues(issues: readonly SpecIssue[], source = 'spec'): string {
  const more = issues.length - MOST_SHOWN;
  const shown = issues
    .slice(0, MOST_SHOWN)
    .map((issue) => {
      const { position } = issue;
      const where = position ? placeText(position) : source;
      const path = issue.path.length > 0 ? `${pathText(issue.path)}: ` : '';
      const excerpt = position ? `\n${position.excerpt.replace(/^/gm, '    ')}` : '';
      return visible(`${where}: ${path}${issue.message}${excerpt}`);
    })
    .join('\n');
  return more > 0 ? `${shown}\n… and ${more} more of them.` : shown;
}

/** Nobody mends more at a time; a text of another kind than a spec has thousands. */
const MOST_SHOWN = 100;
