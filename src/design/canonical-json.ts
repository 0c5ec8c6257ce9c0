/**
 * JSON with one spelling for one value: keys sorted by code unit, no spaces, numbers as JSON writes them
 * (RFC 8785). Keys without a value are left out. Throws on what JSON cannot hold, which would be our own bug.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`canonicalJson: a ${typeof value} has no JSON`);
  const entries = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, v]) => `${JSON.stringify(key)}:${canonicalJson(v)}`).join(',')}}`;
}
