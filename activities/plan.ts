import { ApplicationFailure } from '@temporalio/activity';
import { beating } from './beat.ts';
import { openStore } from './bench.ts';
import type { ExperimentRef, PlanActivities, PlanBrief } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { drawPlan } from '../src/design/draw-plan.ts';
import { fillLimitMs } from '../src/design/fill-limit.ts';
import { drawOrders } from '../src/design/order.ts';
import type { Plan } from '../src/design/plan.ts';
import { preflight } from '../src/lab/local/preflight.ts';
import { InfrastructureError } from '../src/lab/errors.ts';
import { asJson, FILES } from '../src/store/experiment-files.ts';
import { locationBelow } from '../src/store/open-store.ts';
import { EXTEND_MOST_BLOCKS } from '../src/temporal/controls.ts';
import { INVALID_SPEC, TASK_QUEUE } from '../src/temporal/status.ts';

/** Resolves the spec, draws the orders, stores the plan. The worker that runs it for a local lab becomes its host. */
export function planActivities(deps: ActivityDeps): PlanActivities {
  return {
    planExperiment: ({ spec, key, workflowId }) =>
      beating(async () => {
        const plan = planOrFail(spec, key);
        const ref = refOf(plan, key, workflowId, deps);
        await requireMachine(deps, plan);
        const store = openStore(deps.home, ref);
        await store.put(FILES.spec, asJson(spec));
        const stored = await store.put(FILES.plan, asJson(plan));
        return brief(plan, ref, stored.sha256, queueOf(plan, deps), await deps.searchAttributes());
      }),
  };
}

function refOf(plan: Plan, key: string, workflowId: string, deps: ActivityDeps): ExperimentRef {
  const store = locationBelow(placeOf(plan, deps), key);
  return { key, workflowId, store, ...(plan.lab.target === 'kubernetes' ? { remote: true as const } : {}) };
}

/**
 * Who carries the experiment out. A lab on this machine, and results in a folder of it, bind it to this machine; pods and a
 * bucket can be reached by any worker, and a worker that is lost is replaced by another.
 */
function queueOf({ lab, spec }: Plan, deps: ActivityDeps): string {
  return lab.target === 'kubernetes' && spec.store.s3 !== undefined ? TASK_QUEUE : deps.hostQueue;
}

/** Where experiments of this spec keep their results, each in a folder or prefix of its own. */
function placeOf({ spec, store }: Plan, { home }: ActivityDeps): string {
  return spec.store.s3 ?? store.folder ?? home.results;
}

/** A bad spec ends the experiment at once, with every mistake, and is never retried. */
function planOrFail(spec: unknown, key: string): Plan {
  const drawn = drawPlan(spec, { experimentKey: key });
  if (drawn.ok) return drawn.plan;
  const list = drawn.issues.map((issue) => `${issue.path.join('.') || '(spec)'}: ${issue.message}`);
  const message = `the spec has ${list.length} mistake${list.length === 1 ? '' : 's'}: ${list.join(' | ')}`;
  throw ApplicationFailure.create({
    message,
    type: INVALID_SPEC,
    nonRetryable: true,
    details: [drawn.issues],
  });
}

/** All that is missing on this machine, in one message. */
async function requireMachine(deps: ActivityDeps, plan: Plan): Promise<void> {
  // Of pods their own preflight asks, before anything is created.
  if (plan.lab.target === 'kubernetes') return;
  const problems = await preflight(deps.home, plan);
  if (problems.length === 0) return;
  throw new InfrastructureError(
    'preflight',
    problems.map((p) => p.message).join(' '),
    problems.map((p) => p.fix).join(' '),
  );
}

/** The blocks after the planned ones: an extension may double an experiment, and no more. */
function spareOrders(plan: Plan): PlanBrief['spareOrders'] {
  const planned = plan.orders.length;
  return drawOrders(plan.scenarios, planned + Math.min(planned, EXTEND_MOST_BLOCKS), plan.seed).slice(
    planned,
  );
}

function fillLimits(plan: Plan): Pick<PlanBrief, 'fillLimitMs'> {
  const limits = plan.scenarios.flatMap((scenario) => {
    const ms = fillLimitMs(scenario, plan.payloads);
    return ms === null ? [] : [[scenario.slug, ms] as const];
  });
  return limits.length === 0 ? {} : { fillLimitMs: Object.fromEntries(limits) };
}

function brief(
  plan: Plan,
  ref: PlanBrief['ref'],
  planSha256: string,
  hostQueue: string,
  searchAttributes: readonly string[],
): PlanBrief {
  return {
    ref,
    name: plan.name,
    question: plan.question,
    planSha256,
    hostQueue,
    scenarios: plan.scenarios.map((s) => s.slug),
    orders: plan.orders,
    spareOrders: spareOrders(plan),
    warmupOrders: plan.warmup.orders,
    maxPasses: plan.warmup.maxPasses,
    retries: plan.retries,
    deadlineMs: plan.deadlineMs,
    settleLimitMs: plan.settle.limitMs,
    drainLimitMs: plan.settle.drainMs,
    searchAttributes,
    ...extrasOf(plan),
  };
}

/** Parts of the story that only some experiments have. */
function extrasOf(plan: Plan): Partial<PlanBrief> {
  const several = Object.keys(plan.plots).length > 1;
  return {
    ...(several ? { plots: Object.fromEntries(plan.scenarios.map((s) => [s.slug, s.plot])) } : {}),
    ...(plan.labs > 1 ? { labs: plan.labs } : {}),
    ...(plan.until === null ? {} : { stopFrom: plan.until.minBlocks }),
    ...(plan.search === null ? {} : { searches: true as const }),
    ...(plan.deplete === null ? {} : { depletes: plan.deplete.scenario }),
    ...(plan.keepMs === null ? {} : { keepMs: plan.keepMs }),
    ...(plan.lab.kubernetes !== undefined && plan.spec.design.budget.usd !== undefined
      ? { costs: true as const }
      : {}),
    ...(plan.lab.kubernetes?.region == null ? {} : { metrics: true as const }),
    ...fillLimits(plan),
    ...(plan.smoke === true ? { smoke: true as const } : {}),
  };
}
