import { plainText } from './text.ts';

/** A titled list; nothing without items. */
export function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `**${title}**\n\n${items.map((item) => `- ${text(item)}`).join('\n')}`;
}

/** A table; a name that begins with # heads numbers. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const names = header.map((name) => name.replace(/^#/, ''));
  const rule = header.map((name) => (name.startsWith('#') ? '--:' : ':--'));
  return [names, rule, ...rows].map(line).join('\n');
}

/** Foreign text that can become no markup, no link, no mention and no new cell. */
export function text(value: string): string {
  return plainText(value)
    .replace(/[\\`*_{}[\]#!|~<>&]/g, (c) =>
      c === '<' ? '&lt;' : c === '>' ? '&gt;' : c === '&' ? '&amp;' : `\\${c}`,
    )
    .replace(/@(?=\w)/g, '@\u200b')
    .replace(/\bhttps?:(?=\/\/)/gi, (scheme) => `${scheme}\u200b`);
}

/** Text for a span of code. */
export function code(value: string): string {
  return plainText(value).replaceAll('`', "'");
}
