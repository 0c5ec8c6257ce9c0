/** Amounts in the words of advice: few digits, the unit beside them. */

/** `2.9 GiB`, `512 MiB`, `96 B`. */
export function bytesIn(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** step).toPrecision(3))} ${units[step]}`;
}

/** `5 %`, `13 %`, `0.5 %`. */
export function shareIn(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

/** `90 s`, `12 min`, `3.5 h`. */
export function timeIn(ms: number): string {
  const said = (amount: number, unit: string): string => `${Number(amount.toPrecision(2))} ${unit}`;
  if (ms < 120_000) return said(ms / 1000, 's');
  return ms < 5_400_000 ? said(ms / 60_000, 'min') : said(ms / 3_600_000, 'h');
}

/** `1 block`, `6 blocks`. */
export function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and 3 more`. */
export function listed(names: readonly string[], most = 3): string {
  if (names.length > most)
    return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
