import { suggestion } from './did-you-mean.ts';

/**
 * What is wrong with the name of a time zone; null = nothing. Names are those of the IANA database, older ones (`UTC`,
 * `Asia/Calcutta`) included, in their own spelling: a server on Linux looks them up as files.
 */
export function zoneProblem(zone: string): string | null {
  const known = Intl.supportedValuesOf('timeZone');
  if (known.includes(zone)) return null;
  const same = known.find((name) => name.toLowerCase() === zone.toLowerCase());
  if (same !== undefined) return `Time zones are written as they are: ${same}.`;
  if (isZone(zone)) return null;
  return `There is no time zone "${zone}". ${suggestion(zone, known) || 'Write e.g. Europe/Berlin or UTC.'}`;
}

function isZone(zone: string): boolean {
  // Offsets such as +01:00 are known to Intl and are no names.
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
