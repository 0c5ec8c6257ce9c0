/**
 * Reads a Java properties file (java.util.Properties.load): `key=value`, `key: value` or `key value`, `#` and `!` begin
 * comments, a line that ends with an odd number of backslashes goes on, `\uXXXX`, `\t`, `\n`, `\r`, `\f` and `\x` are escapes. A later key
 * wins.
 *
 * @param text read as ISO 8859-1.
 */
export function parseProperties(text: string): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  for (const line of logicalLines(text)) {
    const match = /^((?:\\.|[^\\=:\s])*)[ \t\f]*[=:]?[ \t\f]*([^]*)$/.exec(line);
    if (match !== null) properties.set(unescaped(match[1] ?? ''), unescaped(match[2] ?? ''));
  }
  return properties;
}

function logicalLines(text: string): readonly string[] {
  const lines: string[] = [];
  let open: string | null = null;
  for (const natural of text.split(/\r\n|\r|\n/)) {
    const line: string = natural.replace(/^[ \t\f]+/, '');
    if (open === null && (line === '' || /^[#!]/.test(line))) continue;
    const whole: string = (open ?? '') + line;
    const goesOn = (/\\*$/.exec(line)?.[0].length ?? 0) % 2 === 1;
    open = goesOn ? whole.slice(0, -1) : null;
    if (!goesOn) lines.push(whole);
  }
  return open === null ? lines : [...lines, open];
}

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|([^]))/g, (_, code?: string, char?: string) =>
    code === undefined ? (ESCAPES[char ?? ''] ?? char ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
