/** Control and bidirectional-formatting characters: a terminal obeys them instead of showing them. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/u;
const ALL_UNSEEN = /[\p{Cc}\p{Bidi_Control}]/gu;

/** The first such character as `U+001B`, line ends and tabs left aside where `text` may have several lines; null = none. */
export function unseenCharacter(text: string, severalLines: boolean): string | null {
  const found = UNSEEN.exec(severalLines ? text.replace(/[\n\t]/g, '') : text)?.[0];
  return found === undefined ? null : codePoint(found);
}

/** The text as it may be shown to a person: what a terminal would obey is written out. Line ends stay. */
export function visible(text: string): string {
  return text.replace(ALL_UNSEEN, (one) => (one === '\n' ? one : `<${codePoint(one)}>`));
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
