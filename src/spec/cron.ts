/** What a field of a cron line may hold; in the order in which fields are written. */
interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Names for its numbers, from `least` on. */
  readonly names?: readonly string[];
}

const SECOND: Field = { name: 'second', least: 0, most: 59 };
const FIVE: readonly Field[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of month', least: 1, most: 31 },
  {
    name: 'month',
    least: 1,
    most: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of week', least: 0, most: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
const YEAR: Field = { name: 'year', least: 2000, most: 2100 };

const WORDS = /^@(hourly|daily|midnight|weekly|monthly|yearly|annually)$/;

/**
 * What is wrong with a cron line as Temporal reads them; empty = nothing. Five fields (with a year six, with seconds
 * before it seven), each a list of numbers, names, ranges and steps: `*`, `5`, `1-5`, `mon-fri`, `0-30/10`, `1,15`.
 */
export function cronProblems(line: string): readonly string[] {
  if (line.startsWith('@'))
    return WORDS.test(line)
      ? []
      : [`"${line}" is unknown; write @hourly, @daily, @weekly, @monthly or @yearly, or five fields.`];
  const written = line.split(/\s+/);
  const fields = fieldsOf(written.length);
  if (fields === null)
    return [
      `Expected five fields: minute, hour, day of month, month, day of week, e.g. 30 2 * * *; this has ${written.length}.`,
    ];
  return fields.flatMap((field, i) => {
    const text = written[i] ?? '';
    const why = text.split(',').map((part) => partProblem(field, part));
    const first = why.find((one) => one !== null);
    return first === undefined || first === null ? [] : [`${field.name} "${text}": ${first}`];
  });
}

function fieldsOf(count: number): readonly Field[] | null {
  if (count === 5) return FIVE;
  if (count === 6) return [...FIVE, YEAR];
  return count === 7 ? [SECOND, ...FIVE, YEAR] : null;
}

/** `*`, `5`, `1-5`, each perhaps with `/10`. */
function partProblem(field: Field, part: string): string | null {
  const [range = '', step, ...more] = part.split('/');
  if (more.length > 0 || part === '') return formsOf(field);
  if (step !== undefined && !(/^\d+$/.test(step) && Number(step) >= 1 && Number(step) <= field.most))
    return `a step is a whole number from 1 to ${field.most}.`;
  if (range === '*') return null;
  const ends = range.split('-').map((end) => valueOf(field, end));
  if (ends.length > 2 || ends.includes(null)) return formsOf(field);
  const outside = ends.find((end) => end !== null && (end < field.least || end > field.most));
  if (outside !== undefined) return `${outside} is not from ${field.least} to ${field.most}.`;
  const [from, to] = ends;
  return typeof from === 'number' && typeof to === 'number' && from > to
    ? `a range goes upwards; write ${to}-${from}, or two of them.`
    : null;
}

function valueOf({ least, names = [] }: Field, text: string): number | null {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  const at = names.indexOf(text.toLowerCase());
  return at < 0 ? null : at + least;
}

function formsOf({ least, most, names }: Field): string {
  const named = names === undefined ? '' : ` or names such as ${names[0]}`;
  return `expected *, numbers from ${least} to ${most}${named}, ranges (${least}-${least + 2}), steps (*/2) or a list of them.`;
}
