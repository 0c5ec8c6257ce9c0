/** A piece of HTML or SVG that is already safe. Made only by `html` and `trusted`: JSON from a store never is one. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = string | number | null | undefined | false | Markup | readonly Content[];

/** Template tag: everything put in is escaped, for text and for quoted attributes alike; nothing is shown for null. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = strings[0] ?? '';
  values.forEach((value, i) => {
    text += show(value) + (strings[i + 1] ?? '');
  });
  return new Markup(text);
}

/** Takes markup from a renderer that escapes by itself (the chart library) or from a literal of ours. */
export function trusted(markup: string): Markup {
  return new Markup(markup);
}

/** Escapes text for HTML, XML and quoted attributes; characters that no document may hold become U+FFFD. */
export function escapeText(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** A link inside the results folder: every part is encoded and it can never become a scheme. */
export function relativeHref(path: string): string {
  return `./${path.split('/').map(encodeURIComponent).join('/')}`;
}

function show(value: Content): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  // JSON may hold an object where its type promises a text: it is shown, as text.
  return Array.isArray(value) ? value.map(show).join('') : escapeText(JSON.stringify(value));
}
