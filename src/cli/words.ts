/** Numbers and names in the words of the terminal. Pure. */

/** `412,300 records/s`. */
export function rateText(recordsPerS: number): string {
  return `${Math.round(recordsPerS).toLocaleString('en-US')} records/s`;
}

/** `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `512 MiB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** At most so many columns: the first line of a text, cut with `…`. */
export function shortened(text: string, columns: number): string {
  const line = text.split('\n')[0] ?? '';
  const characters = Array.from(line);
  if (characters.length <= columns && line === text) return line;
  return `${characters
    .slice(0, Math.max(1, columns - 1))
    .join('')
    .trimEnd()}…`;
}

/** A shell word: as it is when harmless, else in single quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Cut to a number of UTF-8 bytes without breaking a character. */
export function cutBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let cut = '';
  let bytes = 3;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    cut += character;
  }
  return `${cut}…`;
}
