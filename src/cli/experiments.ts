import type { Client } from '@temporalio/client';
import { EXPERIMENT_WORKFLOW } from '../temporal/status.ts';

export interface ListedExperiment {
  readonly workflowId: string;
  /** E.g. `RUNNING`, `COMPLETED`. */
  readonly state: string;
  readonly startedAt: Date;
}

/** Experiments that the server knows, newest first, one entry an execution chain. */
export async function listExperiments(
  client: Client,
  options: { readonly running: boolean; readonly limit: number },
): Promise<ListedExperiment[]> {
  const only = options.running ? ` AND ExecutionStatus = "Running"` : '';
  const query = `WorkflowType = "${EXPERIMENT_WORKFLOW}" AND ExecutionStatus != "ContinuedAsNew"${only}`;
  const found: ListedExperiment[] = [];
  for await (const info of client.workflow.list({ query, pageSize: options.limit })) {
    found.push({ workflowId: info.workflowId, state: info.status.name, startedAt: info.startTime });
    if (found.length === options.limit) break;
  }
  return found;
}
