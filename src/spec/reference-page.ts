import { type KeyRow, keyRows } from './reference.ts';

/*
 * docs/spec.md: hand-written text, and between markers tables of keys made from the declaration of the language.
 * `<!-- keys: lab lab.brokers -->` is followed by the keys directly below these sections, up to `<!-- /keys -->`.
 * `=name` takes that one key. Every key of the language must stand in one table.
 */

const MARKED = /(<!-- keys: ([^\n]*?) -->\n)[\s\S]*?(<!-- \/keys -->)/g;

/**
 * The page with every table made anew.
 * @throws Error for a marker that names no section, or a key that stands in no table: our own mistakes.
 */
export function referencePage(page: string): string {
  const rows = keyRows();
  const used = new Set<string>();
  const made = page.replace(MARKED, (_, open: string, sections: string, close: string) => {
    const own = sections
      .trim()
      .split(/\s+/)
      .flatMap((name) => rowsOfSection(rows, name));
    for (const row of own) used.add(row.path);
    return `${open}\n${table(own)}\n\n${close}`;
  });
  const left = rows.filter((row) => !used.has(row.path)).map((row) => row.path);
  if (left.length > 0) throw new Error(`docs/spec.md has no table for: ${left.join(', ')}`);
  return made;
}

function rowsOfSection(rows: readonly KeyRow[], name: string): readonly KeyRow[] {
  const found = name.startsWith('=')
    ? rows.filter((row) => row.path === name.slice(1))
    : rows.filter((row) => isBelow(row.path, name));
  if (found.length === 0) throw new Error(`docs/spec.md: no key is called or stands below "${name}"`);
  return found;
}

/** `lab.brokers.count` is directly below `lab.brokers`. */
function isBelow(path: string, section: string): boolean {
  return path.startsWith(`${section}.`) && !path.slice(section.length + 1).includes('.');
}

function table(rows: readonly KeyRow[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const lines = rows.map(
    (row) => `| \`${row.path}\` | ${cell(row.written)} | ${cell(row.default)} | ${cell(row.meaning)} |`,
  );
  return ['| key | written | default | meaning |', '|---|---|---|---|', ...lines].join('\n');
}
