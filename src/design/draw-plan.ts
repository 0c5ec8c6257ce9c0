import { parseSpec } from '../spec/check.ts';
import type { SpecIssue } from '../spec/issue.ts';
import type { Spec } from '../spec/schema.ts';
import { adviceOn, onDeadline } from './advice.ts';
import { canonicalJson } from './canonical-json.ts';
import { contrastsOf } from './contrasts.ts';
import { certainlyWrittenBytes, type EstimateInput, estimatesOf } from './estimates.ts';
import { sha256Hex } from './names.ts';
import { defaultBlocks, drawOrders, drawWarmupOrders } from './order.ts';
import type { LabPlan, PayloadPlan, Plan } from './plan.ts';
import { clientNames } from '../spec/check-scenario.ts';
import { type ResolvedScenario, resolveScenarios } from './scenarios.ts';

export type DrawnPlan =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/**
 * The whole plan of an experiment from its spec as JSON: scenarios, orders, contrasts, estimates. The same
 * input gives the same plan, bit for bit; `experimentKey` matters only for `design.seed: run`.
 */
export function drawPlan(input: unknown, { experimentKey }: { readonly experimentKey: string }): DrawnPlan {
  const parsed = parseSpec(input);
  if (!parsed.ok) return parsed;
  const { spec, json } = parsed;
  const resolved = resolveScenarios(spec, json);
  const contrasts = contrastsOf(spec, resolved);
  const blocks = spec.design.blocks ?? defaultBlocks(contrasts.length);
  const warmup = spec.design.warmup === 'auto' ? { passes: 3, agree: 0.1 } : spec.design.warmup;
  const scenarios = resolved.map((r) => r.scenario);
  const payloads = payloadsOf(resolved);
  const size: EstimateInput = {
    spec,
    scenarios,
    payloads,
    blocks,
    maxPasses: warmup.passes,
    contrasts: contrasts.length,
  };
  const tooMuch = beyondBudget(size);
  if (tooMuch) return { ok: false, issues: [tooMuch] };
  const specSha256 = sha256Hex(canonicalJson(spec));
  const seed = seedOf(spec, specSha256, experimentKey);
  const slugs = scenarios.map((s) => s.slug);
  const estimates = estimatesOf(size);
  const plan: Plan = {
    format: 1,
    name: spec.name,
    question: spec.question,
    specSha256,
    spec,
    seed,
    metric: spec.metric,
    smallestEffectOfInterest: spec.smallestEffectOfInterest,
    scenarios,
    orders: drawOrders(slugs, blocks, seed),
    warmup: {
      orders: drawWarmupOrders(slugs, warmup.passes, seed),
      maxPasses: warmup.passes,
      agreeWithin: warmup.agree,
    },
    contrasts,
    retries: spec.design.retries,
    deadlineMs: spec.design.deadline,
    ...benchOf(spec),
    payloads,
    estimates,
    advice: [...adviceOn(spec, resolved, contrasts, blocks), ...onDeadline(spec, estimates)],
  };
  // Through JSON once: what the store gives back later is the very same value.
  return { ok: true, plan: JSON.parse(JSON.stringify(plan)) as Plan };
}

function seedOf(spec: Spec, specSha256: string, experimentKey: string): string {
  if (spec.design.seed === 'auto') return specSha256;
  return spec.design.seed === 'run' ? experimentKey : String(spec.design.seed);
}

/** Lab, settle, window and store: the spec's sections with units in the names. */
function benchOf(spec: Spec): Pick<Plan, 'lab' | 'settle' | 'window' | 'store'> {
  const { settle, window } = spec;
  return {
    lab: labOf(spec),
    settle: {
      method: settle.method,
      quietMs: settle.quiet,
      limitMs: settle.limit,
      drainMs: settle.drain,
      dirtyBytes: settle.dirty,
      deviceWriteBytesPerS: settle.deviceWrites,
    },
    window: { rampMs: window.ramp === 'auto' ? null : window.ramp, over: window.over, minMs: window.min },
    store: { folder: spec.store.folder },
  };
}

function labOf(spec: Spec): LabPlan {
  const { brokers, clients, target, pin } = spec.lab;
  return {
    target,
    brokers: {
      count: brokers.count,
      kafka: brokers.kafka,
      heapBytes: brokers.heap,
      jit: brokers.jit,
      config: brokers.config,
    },
    clients: { names: clientNames(spec), heapBytes: clients.heap },
    pin,
  };
}

/** Every file of records once, in the order in which loads first name it. */
function payloadsOf(resolved: readonly ResolvedScenario[]): readonly PayloadPlan[] {
  return [...new Map(resolved.flatMap((r) => r.payloads).map((p) => [p.name, p])).values()];
}

function beyondBudget(size: EstimateInput): SpecIssue | null {
  const limit = size.spec.design.budget.written;
  const least = certainlyWrittenBytes(size);
  if (limit === undefined || least <= limit) return null;
  const gib = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
  const message = `The counts of this spec write at least ${gib(least)} in ${size.blocks} blocks, all copies together, which is above the ${gib(limit)} of design.budget.written. Lower records, replication or blocks, or raise the budget.`;
  return { code: 'contradiction', path: ['design', 'budget', 'written'], at: 'value', message };
}
