import {
  type Control,
  EXTEND_MOST_BLOCKS,
  PAUSE_MOST_MS,
  type SkipRequest,
} from '../src/temporal/controls.ts';

/** null = fine, else what it must be. */
type Check = (value: unknown) => string | null;

const text: Check = (v) =>
  typeof v === 'string' && v.length <= 500 ? null : 'a text of at most 500 characters';
const name: Check = (v) => (typeof v === 'string' && v !== '' ? null : 'the name of a scenario');
const yes: Check = (v) => (v === true ? null : 'true, or left out');
const limitMs: Check = (v) =>
  isWhole(v, 1, PAUSE_MOST_MS)
    ? null
    : `a whole number of milliseconds, at most ${PAUSE_MOST_MS} (24 h); 1800000 is 30 minutes`;
const blocks: Check = (v) =>
  isWhole(v, 1, EXTEND_MOST_BLOCKS) ? null : `a whole number of blocks from 1 to ${EXTEND_MOST_BLOCKS}`;

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

interface Shape {
  readonly fields: Readonly<Record<string, Check>>;
  readonly needed?: readonly string[];
}

const SHAPES: Readonly<Record<Control, Shape>> = {
  pause: { fields: { limit: limitMs, reason: text } },
  resume: { fields: { reason: text } },
  skip: { fields: { scenario: name, next: yes, reason: text } },
  'finish-early': { fields: { reason: text } },
  extend: { fields: { blocks, reason: text }, needed: ['blocks'] },
  abort: { fields: { reason: text } },
};

/**
 * What is wrong with the argument of an update, all at once: it may have been typed by hand for the Temporal CLI.
 * null = it can be used.
 */
export function misshapen(control: Control, request: unknown): string | null {
  const { fields, needed = [] } = SHAPES[control];
  const given: unknown = request;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return `${control} takes an object, e.g. {"reason":"…"}.`;
  const problems = [
    ...Object.entries(given).flatMap(([key, value]) => problemOf(control, fields, key, value)),
    ...needed
      .filter((key) => !(key in given))
      .map((key) => `${key} is missing: ${fields[key]?.(null) ?? ''}`),
    ...(control === 'skip' ? skipProblem(given) : []),
  ];
  return problems.length === 0 ? null : `${problems.join('; ')}.`;
}

function problemOf(control: Control, fields: Shape['fields'], key: string, value: unknown): string[] {
  const check = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (check === undefined)
    return [`${control} does not know ${JSON.stringify(key)}, only ${Object.keys(fields).join(', ')}`];
  const problem = check(value);
  return problem === null ? [] : [`${key} must be ${problem}, not ${JSON.stringify(value)}`];
}

function skipProblem({ scenario, next }: SkipRequest): string[] {
  if ((scenario === undefined) !== (next === undefined)) return [];
  return ['name either a scenario, to be skipped from now on, or next, for the next trial only'];
}
