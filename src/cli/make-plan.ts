import { drawPlan } from '../design/draw-plan.ts';
import type { Plan } from '../design/plan.ts';
import { resolveHome } from '../lab/home.ts';
import { InfrastructureError } from '../lab/errors.ts';
import { formatIssues } from '../spec/issue.ts';
import type { Env } from '../temporal/home.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';
import type { LoadedSpec } from './load-spec.ts';

/** Stands for the key of an experiment that does not exist yet; it matters only for `design.seed: run`. */
const NO_KEY = 'not-started';

/**
 * The plan of a spec, as the experiment will draw it.
 *
 * @throws CommandFailure for mistakes that only the plan shows, exit code 2.
 */
export function makePlan({ json, place }: LoadedSpec): Plan {
  const drawn = drawPlan(json, { experimentKey: NO_KEY });
  if (drawn.ok) return drawn.plan;
  throw new CommandFailure(EXIT.usage, `${formatIssues(place(drawn.issues))}\nNothing was started.`);
}

/**
 * Whether this machine can run the plan.
 *
 * @throws InfrastructureError with everything that is missing and how to mend it.
 */
export async function requireMachine(plan: Plan, env: Env): Promise<void> {
  // A cluster is looked at by the worker, which may reach it where this machine does not.
  if (plan.lab.target === 'kubernetes') return;
  const { preflight } = await import('../lab/local/preflight.ts');
  const problems = await preflight(resolveHome(env), plan, env);
  const [first, ...more] = problems;
  if (first === undefined) return;
  if (more.length === 0) throw new InfrastructureError(first.code, first.message, first.fix);
  const list = problems.map(({ message, fix }) => `  - ${message}\n    ${fix}`).join('\n');
  throw new InfrastructureError(
    first.code,
    `This machine cannot run the plan, for ${problems.length} reasons:\n${list}`,
    'Nothing was started.',
  );
}
