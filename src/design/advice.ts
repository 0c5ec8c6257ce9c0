import { onBrokers } from './advice-brokers.ts';
import { onCache } from './advice-cache.ts';
import { onCombinations } from './advice-combinations.ts';
import { onContrasts } from './advice-contrasts.ts';
import { onDurability } from './advice-durability.ts';
import type { AdviceInput } from './advice-input.ts';
import { onLatency } from './advice-latency.ts';
import { onLimits } from './advice-limits.ts';
import { onLoads } from './advice-loads.ts';
import { onPayload } from './advice-payload.ts';
import { onDeadline, onPrecision } from './advice-precision.ts';
import { onReplay } from './advice-replay.ts';
import { onRetention } from './advice-retention.ts';
import { onUnused } from './advice-unused.ts';
import type { Advice, Estimates, PayloadPlan } from './plan.ts';

/** What a valid spec should still be told: each remark fits the spec at hand and says what to write. */
export function adviceOn(
  input: AdviceInput,
  payloads: readonly PayloadPlan[],
  estimates: Estimates,
): readonly Advice[] {
  // Of a rehearsal nothing is read that advice could save.
  if (input.spec.smoke) return [REHEARSAL];
  return [
    ...onContrasts(input),
    ...onCombinations(input, payloads, estimates.trials),
    ...onPrecision(input),
    ...onLatency(input),
    ...onDurability(input),
    ...onPayload(input),
    ...onCache(input),
    ...onReplay(input, payloads),
    ...onLoads(input),
    ...onLimits(input),
    ...onRetention(input, payloads, estimates),
    ...onBrokers(input),
    ...onUnused(input),
    ...onDeadline(input.spec.design.deadline, estimates),
  ];
}

const REHEARSAL: Advice = {
  code: 'smoke',
  message:
    'This is a rehearsal at a tiny scale, not a measurement: it shows that every part works, and no number of it means anything.',
};
