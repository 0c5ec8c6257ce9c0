/** Laying out plain text in columns of a terminal. Colours are added by a Painter, which widths ignore. */

export type Tone = 'strong' | 'muted' | 'good' | 'open' | 'bad';

/** Gives a text its tone; without colour it returns the text as it is. */
export type Painter = (tone: Tone, text: string) => string;

const CODES: Readonly<Record<Tone, string>> = { strong: '1', muted: '2', good: '32', open: '33', bad: '31' };

export function painter(color: boolean): Painter {
  return (tone, text) => (color ? `\u001b[${CODES[tone]}m${text}\u001b[0m` : text);
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\u200b-\u200d]/u;

/** Columns that a text without colours takes. */
export function width(text: string): number {
  let columns = 0;
  for (const char of text) columns += NO_WIDTH.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return columns;
}

/** Breaks at spaces; words longer than the line are cut. Every line after the first begins with the indent. */
export function wrap(text: string, columns: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((w) => pieces(w, columns - width(indent)))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && width(lines.length > 0 ? indent + longer : longer) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  return lines.map((l, i) => (i === 0 ? l : indent + l));
}

function pieces(word: string, columns: number): string[] {
  if (width(word) <= columns) return [word];
  const cut: string[] = [''];
  for (const char of word) {
    const last = cut.at(-1) ?? '';
    if (width(last + char) > columns) cut.push(char);
    else cut[cut.length - 1] = last + char;
  }
  return cut;
}

/** Cuts to a width, with an ellipsis where something was cut. */
export function fit(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = '';
  for (const char of text) {
    if (width(kept + char) > columns - 1) break;
    kept += char;
  }
  return `${kept}…`;
}

export interface Column {
  readonly name: string;
  readonly align: 'left' | 'right';
}

/**
 * A table as lines: columns as wide as their content, two spaces between. When it is wider than the line, the
 * first column is cut; from the last column on, columns that still do not fit are left out.
 */
export function columns(
  shape: readonly Column[],
  rows: readonly (readonly string[])[],
  lineWidth: number,
): { head: string; rows: string[] } {
  const widths = shape.map((c, i) => Math.max(width(c.name), ...rows.map((r) => width(r[i] ?? ''))));
  const total = (): number => widths.reduce((sum, w) => sum + w + 2, -2);
  const first = widths[0] ?? 0;
  if (total() > lineWidth) widths[0] = Math.max(Math.min(first, 16), first - (total() - lineWidth));
  while (total() > lineWidth && widths.length > 1) widths.pop();
  const line = (cells: readonly string[]): string =>
    widths
      .map((w, i) => cell(cells[i] ?? '', w, shape[i]?.align ?? 'left'))
      .join('  ')
      .trimEnd();
  return { head: line(shape.map((c) => c.name)), rows: rows.map(line) };
}

function cell(text: string, columnWidth: number, align: Column['align']): string {
  const shown = fit(text, columnWidth);
  const space = ' '.repeat(Math.max(0, columnWidth - width(shown)));
  return align === 'left' ? shown + space : space + shown;
}
