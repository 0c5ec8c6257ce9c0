import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { experimentKey } from '../design/names.ts';
import {
  EXPERIMENT_WORKFLOW,
  type ExperimentResult,
  type ExperimentStatus,
  REHEARSAL_MEMO,
  STATUS_QUERY,
} from '../temporal/status.ts';

export interface ListedExperiment {
  readonly workflowId: string;
  /** The newest run of its chain. */
  readonly runId: string;
  /** E.g. `RUNNING`, `COMPLETED`. */
  readonly state: string;
  readonly startedAt: Date;
  /** null while it runs. */
  readonly endedAt: Date | null;
  /** Name of the spec and its question, when whoever started it gave them. */
  readonly name: string | null;
  readonly question: string | null;
  /** Its memo says that it is a rehearsal, not a measurement. */
  readonly rehearsal: boolean;
}

/** Experiments that the server knows, newest first, one entry an execution chain. */
export async function listExperiments(
  client: Client,
  options: { readonly running: boolean; readonly limit: number },
): Promise<ListedExperiment[]> {
  const only = options.running ? ` AND ExecutionStatus = "Running"` : '';
  const query = `WorkflowType = "${EXPERIMENT_WORKFLOW}" AND ExecutionStatus != "ContinuedAsNew"${only}`;
  const found: ListedExperiment[] = [];
  const pageSize = Math.min(options.limit, 1000);
  for await (const info of client.workflow.list({ query, pageSize })) {
    found.push(listed(info));
    if (found.length === options.limit) break;
  }
  return found;
}

function listed(info: WorkflowExecutionInfo): ListedExperiment {
  const { experiment, question } = info.memo ?? {};
  return {
    workflowId: info.workflowId,
    runId: info.runId,
    state: info.status.name,
    startedAt: info.startTime,
    endedAt: info.closeTime ?? null,
    name: typeof experiment === 'string' ? experiment : null,
    question: typeof question === 'string' ? question : null,
    rehearsal: info.memo?.[REHEARSAL_MEMO] !== undefined,
  };
}

/** The experiment key of a run: lists do not tell with which run its chain began. null when nobody tells. */
export async function keyOf(client: Client, { workflowId, runId }: ListedExperiment): Promise<string | null> {
  const handle = client.workflow.getHandle(workflowId, runId);
  try {
    const { raw } = await client.withDeadline(Date.now() + PATIENCE_MS, () => handle.describe());
    const firstRunId = raw.workflowExecutionInfo?.firstRunId;
    return firstRunId ? experimentKey(workflowId, firstRunId) : null;
  } catch {
    return null;
  }
}

/** An answer that takes longer is none: a folder is looked up beside other things. */
const PATIENCE_MS = 5_000;

/** Where an experiment (the newest of its id without a run) keeps its results, as its workflow tells; null when nobody tells. */
export async function folderOf(client: Client, workflowId: string, runId?: string): Promise<string | null> {
  const handle = client.workflow.getHandle(workflowId, runId);
  try {
    return await client.withDeadline(Date.now() + PATIENCE_MS, async () => {
      const { status } = await handle.describe();
      // A closed one tells it without a worker.
      const told =
        status.name === 'RUNNING'
          ? await handle.query<ExperimentStatus>(STATUS_QUERY)
          : ((await handle.result()) as ExperimentResult);
      return told.resultsFolder;
    });
  } catch {
    return null;
  }
}
