import { InfrastructureError } from '../../lab/errors.ts';
import { visible } from '../../spec/visible.ts';

/** What one look at the machine found. */
export interface Check {
  /** Stable, for programs, e.g. `java`. */
  readonly id: string;
  /** `fail`: an experiment cannot run, or would not be clean; `warn`: it runs, with less to say or less room. */
  readonly state: 'ok' | 'warn' | 'fail';
  /** What was seen, in one sentence. */
  readonly says: string;
  /** What to do; null when all is well. */
  readonly fix: string | null;
}

export const ok = (id: string, says: string): Check => ({ id, state: 'ok', says, fix: null });
export const warn = (id: string, says: string, fix: string): Check => ({ id, state: 'warn', says, fix });
export const fail = (id: string, says: string, fix: string): Check => ({ id, state: 'fail', says, fix });

/** Looks; an error with a fix is a failed check, any other error one that says so: a doctor never falls over. */
export async function look(id: string, see: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await see();
  } catch (error) {
    if (error instanceof InfrastructureError) return fail(id, error.message, error.fix);
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return fail(id, `it could not be looked at: ${why}`, 'ASSAY_DEBUG=1 shows more; this is worth a report.');
  }
}

const MARKS = { ok: '✓', warn: '!', fail: '✗' } as const;

/** One line a check, its fix below it. Pure. */
export function checksText(checks: readonly Check[]): string {
  const width = Math.max(0, ...checks.map(({ id }) => id.length));
  const lines = checks.flatMap(({ id, state, says, fix }) => [
    `${MARKS[state]} ${id.padEnd(width)}  ${indented(says, width + 4)}`,
    ...(fix === null ? [] : [`${' '.repeat(width + 4)}→ ${indented(fix, width + 6)}`]),
  ]);
  return `${visible(lines.join('\n'))}\n`;
}

function indented(text: string, columns: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(columns)}`);
}

/** `1 failure, 2 warnings.` or `All is well.` Pure. */
export function verdictText(checks: readonly Check[]): string {
  const count = (state: Check['state'], word: string) => {
    const n = checks.filter((check) => check.state === state).length;
    return n === 0 ? [] : [`${n} ${word}${n === 1 ? '' : 's'}`];
  };
  const found = [...count('fail', 'failure'), ...count('warn', 'warning')];
  return found.length === 0 ? 'All is well.' : `${found.join(', ')}.`;
}
