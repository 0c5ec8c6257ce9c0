import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Combination } from './scenarios.ts';
import { firstLevels } from './scenarios.ts';
import type { Spec } from './schema.ts';

const MAX_SLUG = 80;
const PER_SECOND = '-per-s';

/**
 * The stable name of a scenario: its own name, else `acks=all,rf=rf3` over all factors in the order of the spec.
 * Letters, digits and `=,._+-` only, at most 80 characters; `10k/s` becomes `10k-per-s`, and whatever else is lost is replaced by a hash,
 * so that two combinations never share a slug.
 */
export function scenarioSlug(scenario: Combination): string {
  if (scenario.name !== null) return scenario.name;
  const full = Object.entries(scenario.levels)
    .map(([name, label]) => `${name}=${label}`)
    .join(',');
  // Only where it can be read back: a level that is called so itself gets a hash.
  const readable = full.includes(PER_SECOND) ? null : full.replaceAll(/\/s(?=,|$)/g, PER_SECOND);
  const safe = (readable ?? full).replace(/[^A-Za-z0-9=,._+-]/g, '-');
  // Nothing varies, as in a capacity search alone.
  if (full === '') return 'baseline';
  if (safe === readable && safe.length <= MAX_SLUG) return safe;
  return `${safe.slice(0, MAX_SLUG - 9)}-${bytesToHex(sha256(utf8ToBytes(full))).slice(0, 8)}`;
}

/**
 * The scenario that a reference means: its slug or name, `baseline`, or the label of the one level in which
 * it differs from the baseline (`lz4`). Null when none or more than one fits.
 */
export function findScenario(
  spec: Spec,
  scenarios: readonly Combination[],
  reference: string,
): Combination | null {
  const exact = scenarios.find((s) => scenarioSlug(s) === reference);
  if (exact) return exact;
  const base = firstLevels(spec);
  // A conditional factor that does not apply is no change of its own.
  const changed = (s: Combination) => Object.keys(s.levels).filter((name) => s.levels[name] !== base[name]);
  if (reference === 'baseline') return scenarios.find((s) => changed(s).length === 0) ?? null;
  const fits = scenarios.filter((s) => {
    const names = changed(s);
    // With one factor its baseline level names the baseline too.
    if (names.length === 0) return Object.keys(base).length === 1 && Object.values(base)[0] === reference;
    return names.length === 1 && s.levels[names[0] ?? ''] === reference;
  });
  return fits.length === 1 ? (fits[0] ?? null) : null;
}
