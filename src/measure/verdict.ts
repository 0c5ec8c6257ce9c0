import type { Evidence } from './evidence.ts';
import { flagsOf } from './flags.ts';
import { loadRules } from './load-rules.ts';
import { eventRules, identityRules, offsetRules, partitionRules } from './log-rules.ts';
import type { Reason, Verdict } from './reasons.ts';
import { windowRules } from './window-rules.ts';

/**
 * Valid only if every rule of design §9 holds. All reasons that hold are listed, causes before consequences: what
 * the caller knew, who was replaced, what the brokers did, how the tools ended, what was counted, what was measured.
 */
export function verdict(evidence: Evidence): Verdict {
  const reasons = distinct([
    ...evidence.known,
    ...identityRules(evidence),
    ...eventRules(evidence),
    ...evidence.topics.flatMap((topic) => partitionRules(topic, evidence)),
    ...evidence.loads.flatMap((load) => loadRules(load, evidence)),
    ...evidence.topics.flatMap((topic) => offsetRules(topic, evidence)),
    ...windowRules(evidence),
  ]);
  return { valid: reasons.length === 0, reasons, flags: flagsOf(evidence) };
}

/** The same code with the same words is said once. */
function distinct(reasons: readonly Reason[]): Reason[] {
  const seen = new Map(reasons.map((one) => [`${one.code}\n${one.message}`, one]));
  return [...seen.values()];
}
