import { sha256Hex } from './names.ts';
import type { Plan } from './plan.ts';

/**
 * A plan as it is printed and stored: JSON with two spaces, a newline at the end. The same spec gives the same bytes:
 * sections stand in the order in which the language declares them, properties sorted, and maps of named things in the
 * order of the spec, which means something there (the first level is the baseline).
 */
export function planJson(plan: Plan): string {
  return `${JSON.stringify(plan, null, 2)}\n`;
}

/** What identifies a plan everywhere: SHA-256 of the bytes that are stored, 64 hex digits. */
export function planSha256(plan: Plan): string {
  return sha256Hex(planJson(plan));
}
