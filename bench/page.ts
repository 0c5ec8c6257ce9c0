import { readFileSync, writeFileSync } from 'node:fs';

/** Puts text between the two markers of a name in a page; everything else stays as it is. */
export function withSection(page: string, name: string, text: string): string {
  const [open, close] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const from = page.indexOf(open);
  const to = page.indexOf(close);
  if (from < 0 || to < from) throw new Error(`the page has no place ${open} … ${close}`);
  return `${page.slice(0, from + open.length)}\n${text.trim()}\n${page.slice(to)}`;
}

/** Writes one section of a page on disk. */
export function writeSection(file: string, name: string, text: string): void {
  writeFileSync(file, withSection(readFileSync(file, 'utf8'), name, text));
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
