import type { Activities } from './contract.ts';
import type { JanitorActivities } from './contract-janitor.ts';
import { budgetActivities } from './budget.ts';
import { collectActivities } from './collect.ts';
import type { ActivityDeps } from './deps.ts';
import { fillActivities } from './fill.ts';
import { janitorActivities } from './janitor.ts';
import { labActivities } from './lab.ts';
import { leaseActivities } from './lease.ts';
import { loadActivities } from './load.ts';
import { assessActivities } from './assess.ts';
import { metricsActivities } from './metrics.ts';
import { planActivities } from './plan.ts';
import { plotActivities } from './plots.ts';
import { searchActivities } from './search.ts';
import { prepareActivities } from './prepare.ts';
import { quietActivities } from './quiet.ts';
import { releaseActivities } from './release.ts';
import { resultActivities } from './results.ts';
import { verifyActivities } from './verify.ts';
import { warmUpActivities } from './warm-up.ts';

/** All activities, bound to what the worker gives them. */
export function createActivities(deps: ActivityDeps): Activities & JanitorActivities {
  return {
    ...planActivities(deps),
    ...leaseActivities(deps),
    ...labActivities(deps),
    ...plotActivities(deps),
    ...warmUpActivities(deps),
    ...searchActivities(deps),
    ...assessActivities(deps),
    ...prepareActivities(deps),
    ...fillActivities(deps),
    ...quietActivities(deps),
    ...loadActivities(deps),
    ...verifyActivities(deps),
    ...collectActivities(deps),
    ...releaseActivities(deps),
    ...budgetActivities(deps),
    ...metricsActivities(deps),
    ...resultActivities(deps),
    ...janitorActivities(deps),
  };
}
