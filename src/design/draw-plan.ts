import { parseSpec } from '../spec/check.ts';
import { clientNames } from '../spec/check-loads.ts';
import { payloadSpots } from '../spec/check-payload.ts';
import type { SpecIssue } from '../spec/issue.ts';
import { filledIn, type Json } from '../spec/levels.ts';
import { type Spec, specSchema } from '../spec/schema.ts';
import { adviceOn } from './advice.ts';
import { canonicalJson } from './canonical-json.ts';
import { contrastsOf } from './contrasts.ts';
import { certainlyWrittenBytes, type EstimateInput, estimatesOf } from './estimates.ts';
import { brokersWritten } from './existing-limits.ts';
import { existingPlanOf } from './existing-plan.ts';
import { kubernetesPlanOf } from './kubernetes-plan.ts';
import { labRefusals } from './lab-limits.ts';
import { sha256Hex } from './names.ts';
import { defaultBlocks, drawOrders, drawWarmupOrders } from './order.ts';
import type { LabPlan, PayloadPlan, Plan, Scenario } from './plan.ts';
import { depleteOf, expectationsOf, seriesOf, untilOf } from './questions.ts';
import { type ResolvedScenario, resolveScenarios } from './scenarios.ts';
import { searchOf, withSearchedLoads } from './search-plan.ts';
import { shrunk } from './smoke.ts';

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
  const { json } = parsed;
  const spec = parsed.spec.smoke ? rehearsal(json) : parsed.spec;
  const refused = [...labRefusals(spec), ...brokersWritten(spec, json), ...unreadFile(spec)];
  if (refused.length > 0) return { ok: false, issues: refused };
  const { scenarios: asWritten, plots } = resolveScenarios(spec, json);
  const resolved = withSearchedLoads(spec, asWritten);
  const plain = resolved.map((r) => r.scenario);
  const search = searchOf(spec, plain);
  const scenarios = search?.scenarios ?? plain;
  const contrasts = search === null ? contrastsOf(spec, resolved) : [];
  const asked =
    (spec.smoke ? undefined : spec.search?.confirm) ?? spec.design.blocks ?? defaultBlocks(contrasts.length);
  const until = untilOf(spec, asked);
  const blocks = until?.maxBlocks ?? asked;
  const warmup = spec.design.warmup === 'auto' ? { passes: 3, agree: 0.1 } : spec.design.warmup;
  const payloads = payloadsOf(resolved);
  const size: EstimateInput = {
    spec,
    scenarios,
    payloads,
    blocks,
    maxPasses: warmup.passes,
    contrasts: contrasts.length,
    search: search?.search ?? null,
  };
  const tooMuch = beyondBudget(size);
  if (tooMuch) return { ok: false, issues: [tooMuch] };
  const specSha256 = sha256Hex(canonicalJson(spec));
  const seed = seedOf(spec, specSha256, experimentKey);
  const estimates = estimatesOf(size);
  const plan: Plan = {
    format: 1,
    name: spec.name,
    question: spec.question,
    specSha256,
    spec,
    ...(spec.smoke ? { smoke: true as const } : {}),
    overrides: spec.overrides,
    seed,
    metric: spec.metric,
    smallestEffectOfInterest: spec.smallestEffectOfInterest,
    scenarios,
    plots,
    orders: drawOrders(scenarios, blocks, seed),
    warmup: {
      orders: drawWarmupOrders(warming(scenarios, spec.smoke), warmup.passes, seed),
      maxPasses: warmup.passes,
      agreeWithin: warmup.agree,
    },
    contrasts,
    expectations: expectationsOf(spec),
    until,
    labs: spec.design.labs,
    // A rehearsal reaches no rate, so a series would end at once.
    series: spec.smoke ? [] : seriesOf(spec, scenarios),
    search: search?.search ?? null,
    deplete: depleteOf(spec, scenarios),
    keepMs: spec.teardown === 'always' ? null : spec.teardown.keep,
    retries: spec.design.retries,
    deadlineMs: spec.design.deadline,
    ...benchOf(spec),
    payloads,
    estimates,
    advice: adviceOn({ spec, scenarios: resolved, contrasts, blocks, until }, payloads, estimates),
  };
  // Through JSON once: what the store gives back later is the very same value.
  return { ok: true, plan: JSON.parse(JSON.stringify(plan)) as Plan };
}

/** Of the grid of a search only the middle warms the lab, and as fast as it can: its rates are not known yet. */
function warming(scenarios: readonly Scenario[], rehearsed: boolean): readonly Scenario[] {
  const all = scenarios.filter((s) => s.grid === undefined || s.grid.factor === 1);
  // A rehearsal takes nothing from block 0: one scenario under each broker setting shows that it runs.
  return rehearsed ? all.filter((s, i) => all.findIndex((other) => other.plot === s.plot) === i) : all;
}

/** The spec at the scale of a rehearsal; the spec as written has been checked before. */
function rehearsal(json: Json): Spec {
  return specSchema.parse(shrunk(filledIn(json)));
}

/** Only whoever stands beside a payload file can read it. */
function unreadFile(spec: Spec): readonly SpecIssue[] {
  const message =
    'This payload file has not been read yet; submit what `assay resolve` prints, or use `assay run`.';
  const { spots, issues } = payloadSpots(spec);
  return [
    ...issues,
    ...spots.map(({ path }): SpecIssue => ({ code: 'wrong-value', path, at: 'value', message })),
  ];
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
    window: {
      rampMs: window.ramp === 'auto' ? null : window.ramp,
      over: window.over,
      // A rehearsal has no steady window to speak of.
      minMs: spec.smoke ? 0 : window.min,
    },
    store: { folder: spec.store.folder },
  };
}

function labOf(spec: Spec): LabPlan {
  const { target, brokers, clients, pin } = spec.lab;
  const kubernetes = kubernetesPlanOf(spec);
  const existing = existingPlanOf(spec);
  return {
    target,
    brokers: {
      // Of somebody's cluster none is ours.
      count: existing === null ? brokers.count : 0,
      kafka: brokers.kafka,
      heapBytes: brokers.heap,
      jit: brokers.jit,
      config: brokers.config,
    },
    clients: { names: clientNames(spec), heapBytes: clients.heap },
    pin: existing === null ? pin : false,
    ...(kubernetes === null ? {} : { kubernetes }),
    ...(existing === null ? {} : { existing }),
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
