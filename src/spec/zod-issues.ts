import type { z } from 'zod';
import { suggestion } from './did-you-mean.ts';
import { standsInFor, whereItBelongs } from './foreign-words.ts';
import type { IssueCode, SpecIssue, SpecPath } from './issue.ts';
import { keysAt } from './schema-keys.ts';

type ZodIssue = z.core.$ZodIssue;

/** Zod's issues in plain words, with the keys that are known at each place. */
export function fromZod(issues: readonly ZodIssue[], schema: z.ZodType, json: unknown): SpecIssue[] {
  return issues.flatMap((issue) => translate(issue, [], schema, json));
}

/** Without what is only missing because the key that would say it has another name. */
export function withoutFollowing(
  issues: readonly SpecIssue[],
  schema: z.ZodType,
  json: unknown,
): readonly SpecIssue[] {
  const given = issues.flatMap(({ code, path }) => {
    if (code !== 'unknown-key') return [];
    const section = path.slice(0, -1);
    const key = standsInFor(String(path.at(-1)), section, keysAt(schema, section), json);
    return key === null
      ? []
      : [{ section: section.join('\u0000'), key: new RegExp(`\\b${key.replace(/s$/, 's?')}\\b`) }];
  });
  return issues.filter(
    ({ code, path, message }) =>
      code !== 'missing' ||
      !given.some(({ section, key }) => section === path.join('\u0000') && key.test(message)),
  );
}

function translate(issue: ZodIssue, parent: SpecPath, schema: z.ZodType, json: unknown): SpecIssue[] {
  const path = [...parent, ...issue.path.map((s) => (typeof s === 'number' ? s : String(s)))];
  if (issue.code === 'invalid_union') return ofUnion(issue, path, schema, json);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, path, schema, json));
  if (issue.code === 'invalid_key')
    return [
      {
        code: 'wrong-value',
        path,
        at: 'key',
        message: issue.issues[0]?.message ?? 'This name is not allowed.',
      },
    ];
  const absent = valueAt(json, path) === undefined;
  if (issue.code === 'invalid_type' && absent) return [missing(path, schema, issue.message)];
  return [
    {
      code: codeOf(issue),
      path,
      at: 'value',
      message: withYesNo(plainMessage(issue, valueAt(json, path)), valueAt(json, path)),
    },
  ];
}

function codeOf(issue: ZodIssue): IssueCode {
  if (issue.code === 'custom') return (issue.params?.['code'] as IssueCode | undefined) ?? 'wrong-value';
  return issue.code === 'invalid_type' ? 'wrong-type' : 'wrong-value';
}

function plainMessage(issue: ZodIssue, value: unknown): string {
  return issue.message.startsWith('Invalid input') ? plainType(issue, value) : issue.message;
}

/** In YAML 1.2 yes and no are texts. */
function withYesNo(message: string, value: unknown): string {
  if (typeof value !== 'string' || !message.includes('true') || !/^(yes|no|on|off|y|n)$/i.test(value))
    return message;
  return `${message} "${value}" is text; write ${/^(yes|on|y)$/i.test(value) ? 'true' : 'false'}.`;
}

function unknownKey(key: string, path: SpecPath, schema: z.ZodType, json: unknown): SpecIssue {
  const known = keysAt(schema, path);
  const section = valueAt(json, path);
  if (known.includes(key) && typeof section === 'object' && section !== null) {
    const others = Object.keys(section).filter((other) => other !== key && known.includes(other));
    return {
      code: 'contradiction',
      path: [...path, key],
      at: 'key',
      message: `"${key}" does not go together with ${others.join(' and ')}; keep one of them.`,
    };
  }
  const elsewhere = whereItBelongs(key, path, known, json);
  const say = elsewhere === '' ? suggestion(key, known) : elsewhere;
  return {
    code: 'unknown-key',
    path: [...path, key],
    at: 'key',
    message: `Unknown key "${key}".${say === '' ? '' : ` ${say}`}`,
  };
}

const MISSING: Readonly<Record<string, string>> = {
  name: 'A spec needs a name: a few words that name the experiment.',
  question: 'A spec needs a question: what should the experiment answer?',
  factors: 'A spec needs at least one factor: a setting that varies, and its levels.',
};

function missing(path: SpecPath, schema: z.ZodType, otherwise: string): SpecIssue {
  const key = String(path.at(-1) ?? '');
  const known = path.length === 1 ? MISSING[key] : undefined;
  const message =
    path.length === 0
      ? `The spec is empty. It needs at least name, question and one factor.`
      : (known ?? `"${key}" is missing.${otherwise.startsWith('Invalid') ? '' : ` ${otherwise}`}`);
  // The place to add it is where its section stands.
  return {
    code: 'missing',
    path: path.slice(0, -1),
    at: keysAt(schema, path.slice(0, -1)).length > 0 ? 'key' : 'value',
    message,
  };
}

/** A wrong value of a union says what the branch with the fewest issues says. */
function ofUnion(
  issue: Extract<ZodIssue, { code: 'invalid_union' }>,
  path: SpecPath,
  schema: z.ZodType,
  json: unknown,
): SpecIssue[] {
  const value = valueAt(json, path);
  if (value === undefined) return [missing(path, schema, issue.message)];
  // Branches of another shape altogether say nothing that the union's own message does not say better.
  const branches = issue.errors
    .filter((errors) => !errors.some(isOtherShape))
    .map((errors) => errors.flatMap((e) => translate(e, path, schema, json)));
  const best = branches.toSorted((a, b) => a.length - b.length)[0];
  if (best && best.length > 0) return best;
  const message = issue.message.startsWith('Invalid input')
    ? [...new Set(issue.errors.map((errors) => plainMessage(errors[0] ?? issue, value)))].join(' Or: ')
    : issue.message;
  return [{ code: 'wrong-type', path, at: 'value', message: withYesNo(message, value) }];
}

/** A text where a branch wants a section, another word than its own. */
function isOtherShape({ code, path }: ZodIssue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
}

function plainType(issue: ZodIssue, value: unknown): string {
  const wanted: Readonly<Record<string, string>> = {
    object: 'a section of key: value lines',
    record: 'a map',
    array: 'a list',
    string: 'text',
    number: 'a number',
    boolean: 'true or false',
  };
  const expected =
    issue.code === 'invalid_type' ? (wanted[issue.expected] ?? issue.expected) : 'another value';
  const got =
    value === null
      ? 'nothing'
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'object'
          ? 'a map'
          : JSON.stringify(value)?.slice(0, 60);
  const fix = value === null && expected === wanted['object'] ? '; write {} to keep every default' : '';
  return `Expected ${expected}, got ${got}${fix}.`;
}

function valueAt(json: unknown, path: SpecPath): unknown {
  let here = json;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}
