import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { experimentKey, slug } from '../design/names.ts';
import { EXPERIMENT_WORKFLOW } from '../temporal/status.ts';
import type { WorkflowState } from './leftover.ts';

/** Who knows whether an experiment runs. Never rejects: what cannot be told is a state. */
export interface Workflows {
  /** Of the experiment of that workflow id and key: another one under the id is not it. */
  stateOf(workflowId: string, key: string): Promise<WorkflowState>;
  /** Of an experiment of which only the key is known; `workflowId` null = nobody knows it. */
  stateOfKey(key: string): Promise<{ readonly workflowId: string | null; readonly state: WorkflowState }>;
}

const ANSWER_MS = 10_000;
const CLOSED: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT'];

/** No Temporal: nothing is known, so nothing goes. */
export function noWorkflows(why: string): Workflows {
  const state: WorkflowState = { kind: 'unknown', why };
  return {
    stateOf: () => Promise.resolve(state),
    stateOfKey: () => Promise.resolve({ workflowId: null, state }),
  };
}

export function workflowsOf(client: Client): Workflows {
  const within = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + ANSWER_MS, call);
  const stateOf: Workflows['stateOf'] = async (workflowId, key) => {
    try {
      const { status, raw } = await within(() => client.workflow.getHandle(workflowId).describe());
      return stateFrom(key, workflowId, status.name, raw.workflowExecutionInfo?.firstRunId ?? '');
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return { kind: 'not-found' };
      return { kind: 'unknown', why: whyOf(error) };
    }
  };
  return {
    stateOf,
    async stateOfKey(key) {
      try {
        const ids = await within(() => idsLike(client, key));
        const states = await Promise.all(
          ids.map(async (workflowId) => ({ workflowId, state: await stateOf(workflowId, key) })),
        );
        const known = states.filter(({ state }) => state.kind !== 'not-found');
        return known.at(0) ?? { workflowId: null, state: { kind: 'not-found' } };
      } catch (error) {
        return { workflowId: null, state: { kind: 'unknown', why: whyOf(error) } };
      }
    },
  };
}

/**
 * What a description of the newest run of an id says of the experiment with that key. A newer experiment of the same id
 * would mean that ours has ended, if this were surely the same Temporal: so it is as if it were not known. Pure.
 *
 * @param firstRunId with which the chain of runs began; '' = the server does not say.
 */
export function stateFrom(
  key: string,
  workflowId: string,
  status: string,
  firstRunId: string,
): WorkflowState {
  const closed = CLOSED.includes(status);
  if (firstRunId === '')
    return closed
      ? { kind: 'unknown', why: `this Temporal does not say with which run ${workflowId} began` }
      : { kind: 'open' };
  if (experimentKey(workflowId, firstRunId) !== key) return { kind: 'not-found' };
  return closed ? { kind: 'closed', how: status.toLowerCase().replace('_', ' ') } : { kind: 'open' };
}

/** Ids of experiments, running or ended, that may have this key. */
async function idsLike(client: Client, key: string): Promise<readonly string[]> {
  const ids = new Set<string>();
  for await (const { workflowId } of client.workflow.list({
    query: `WorkflowType = "${EXPERIMENT_WORKFLOW}"`,
  }))
    if (key.slice(0, -9) === slug(workflowId, 32)) ids.add(workflowId);
  return [...ids];
}

function whyOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const more = cause instanceof Error ? `: ${cause.message}` : '';
  return `Temporal does not answer: ${message}${more}`.split('\n')[0] ?? '';
}
