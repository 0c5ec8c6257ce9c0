import type { SettlePlan } from '../design/plan.ts';
import { observe, passTime, type QuietConfig, quietOutcome, quietReading, startQuiet } from './quiet.ts';
import type { Samples } from './sample.ts';
import type { SettleOutcome } from './trial-record.ts';

/** How a settle or a drain of this plan is judged on one machine. */
export function quietConfigOf(
  settle: SettlePlan,
  phase: 'settle' | 'drain',
  machine: { readonly baseDirtyBytes: number; readonly deviceKnown: boolean },
): QuietConfig {
  const { method, limitMs, drainMs, quietMs, dirtyBytes, deviceWriteBytesPerS } = settle;
  const how = phase === 'settle' ? { method, limitMs } : { method: 'watch' as const, limitMs: drainMs };
  return { ...how, ...machine, dirtyBytes, deviceWriteBytesPerS, quietMs };
}

/**
 * Whether a machine's samples give this outcome. The samples do not say at which of them the judging began, so each is
 * tried; it must then give the same end, the same time and the same curve. A time limit may pass between two samples,
 * or with none: then the curve must be the beginning of what the samples give, and the time not below the limit. A machine
 * that left no sample (its pod was deleted) gives the time limit and an empty curve.
 */
export function quietFollows(samples: Samples, config: QuietConfig, outcome: SettleOutcome): boolean {
  if (samples.samples.length === 0)
    return sameOutcome(quietOutcome(passTime(startQuiet(config, 0), outcome.tookMs)), outcome);
  return samples.samples.some((_, from) => sameOutcome(replay(samples, config, from, outcome), outcome));
}

function replay(
  { samples }: Samples,
  config: QuietConfig,
  from: number,
  wanted: SettleOutcome,
): SettleOutcome | null {
  const first = samples[from];
  if (first === undefined) return null;
  let state = startQuiet(config, first.uptimeMs[1]);
  for (let at = from; at < samples.length && state.ended === null; at += 1) {
    const sample = samples[at];
    if (sample === undefined || state.curve.length > wanted.curve.length) break;
    const full = state.curve.length === wanted.curve.length && at > from;
    if (full && wanted.outcome === 'TIMEOUT' && wanted.tookMs >= config.limitMs) {
      // Time passed without a further reading, if the next one does not give the same end by itself.
      const next = observe(state, quietReading(samples[at - 1] ?? null, sample));
      if (next.ended !== null && sameOutcome(quietOutcome(next), wanted)) return quietOutcome(next);
      return quietOutcome(passTime(state, state.startedAtMs + wanted.tookMs));
    }
    state = observe(state, quietReading(at === from ? null : (samples[at - 1] ?? null), sample));
  }
  if (state.ended === null && wanted.outcome === 'TIMEOUT')
    state = passTime(state, state.startedAtMs + wanted.tookMs);
  return quietOutcome(state);
}

function sameOutcome(a: SettleOutcome | null, b: SettleOutcome): boolean {
  return (
    a !== null &&
    a.outcome === b.outcome &&
    a.method === b.method &&
    a.tookMs === b.tookMs &&
    a.baseDirtyBytes === b.baseDirtyBytes &&
    a.curve.length === b.curve.length &&
    a.curve.every((point, i) => samePoint(point, b.curve[i]))
  );
}

function samePoint(
  a: SettleOutcome['curve'][number],
  b: SettleOutcome['curve'][number] | undefined,
): boolean {
  return (
    b !== undefined &&
    a.atMs === b.atMs &&
    a.dirtyBytes === b.dirtyBytes &&
    a.deviceWriteBytesPerS === b.deviceWriteBytesPerS
  );
}
