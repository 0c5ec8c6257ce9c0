import type { Env } from '../temporal/home.ts';

/** The two streams of a command: stdout is data, stderr is talk. */
export interface Terminal {
  /** Data, as it is (with its newline). */
  data(text: string): void;
  /** One line of talk. */
  say(text: string): void;
  /** Talk as it is: for the live block only. */
  raw(text: string): void;
  /** stderr is a terminal that can move its cursor. */
  readonly live: boolean;
  /** Whether stdout may get colours. */
  readonly colour: boolean;
  /** Columns of the terminal behind stderr. */
  columns(): number;
}

/** A width beyond this is a pseudo-terminal's guess: laying out for it would only cost memory. */
const COLUMNS = { most: 1000, unknown: 80 } as const;

/** The width to lay out for. Some pseudo-terminals say 0, some more than a line can use. Pure. */
export function usableColumns(columns: number | undefined): number {
  if (columns === undefined || !(columns > 0)) return COLUMNS.unknown;
  return Math.min(COLUMNS.most, columns);
}

/** The terminal of this process. NO_COLOR, TERM=dumb and pipes are honoured. */
export function processTerminal(env: Env): Terminal {
  const { stdout, stderr } = process;
  return {
    data: (text) => void stdout.write(text),
    say: (text) => void stderr.write(`${text}\n`),
    raw: (text) => void stderr.write(text),
    live: stderr.isTTY && env.TERM !== 'dumb',
    // NO_COLOR counts when it is set to anything but nothing (no-color.org).
    colour: stdout.isTTY && env.TERM !== 'dumb' && !env.NO_COLOR,
    columns: () => usableColumns(stderr.columns),
  };
}
