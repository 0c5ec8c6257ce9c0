import type { Client, WorkflowHandle } from '@temporalio/client';
import { NOT_A_MEASUREMENT } from '../design/smoke.ts';
import type { TemporalChoice } from '../temporal/connection.ts';
import { EXPERIMENT_WORKFLOW, HOST_MEMO, TASK_QUEUE } from '../temporal/status.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';
import { cutBytes, shellWord } from './words.ts';

/** Temporal's limit of a static summary. */
const SUMMARY_BYTES = 200;

export interface StartOptions {
  readonly workflowId: string;
  /** The resolved spec. */
  readonly json: unknown;
  readonly name: string;
  readonly question: string;
  /** A rehearsal: its summary says that it is no measurement. */
  readonly smoke: boolean;
  /** Task queue of the host that is to run it. */
  readonly hostQueue: string;
}

/** The name of a spec as the beginning of an id: no spaces. */
export function idOf(name: string): string {
  return name.trim().replace(/\s+/g, '-');
}

/** What every listing shows of an experiment without asking it, and the host that is to run it. */
export function memoOf(
  { name, question }: { readonly name: string; readonly question: string },
  hostQueue: string,
): Record<string, string> {
  return { experiment: name, question, [HOST_MEMO]: hostQueue };
}

/** `<spec name>-<yyyymmdd-hhmmss>`, in UTC. */
export function defaultWorkflowId(name: string, now: Date): string {
  const [date = '', time = ''] = now.toISOString().split('T');
  return `${idOf(name)}-${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}`;
}

/**
 * Starts the experiment. An id of a closed one may be used again: it gets a new experiment key.
 *
 * @throws CommandFailure when an experiment of that id runs.
 */
export async function startExperiment(client: Client, options: StartOptions): Promise<WorkflowHandle> {
  const { workflowId, json, name, question, smoke, hostQueue } = options;
  const stamp = smoke ? `Rehearsal, ${NOT_A_MEASUREMENT}. ` : '';
  try {
    return await client.workflow.start(EXPERIMENT_WORKFLOW, {
      taskQueue: TASK_QUEUE,
      workflowId,
      args: [json],
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: cutBytes(`${stamp}${name}: ${question}`, SUMMARY_BYTES),
      staticDetails: `${stamp}**${question}**\n\n\`assay watch ${shellWord(workflowId)}\` shows it live, \`assay abort ${shellWord(workflowId)}\` ends it.`,
      memo: memoOf(options, hostQueue),
    });
  } catch (error) {
    if ((error as Error).name !== 'WorkflowExecutionAlreadyStartedError') throw error;
    const id = shellWord(workflowId);
    throw new CommandFailure(
      EXIT.usage,
      `An experiment ${workflowId} is already running. Follow it with \`assay watch ${id}\`, end it with \`assay abort ${id}\`, or start this one with another --id.`,
    );
  }
}

/** The same start with Temporal's own CLI; `spec` is the file and options of `assay resolve`, as words of a shell. */
export function startCommand(spec: string, workflowId: string, choice: TemporalChoice): string {
  const isDefault = choice.kind === 'configured' || choice.port === 7233;
  const address = isDefault ? '' : ` --address ${choice.address}`;
  const start = `temporal workflow start${address} --type ${EXPERIMENT_WORKFLOW} --task-queue ${TASK_QUEUE}`;
  return `assay resolve ${spec} > s.json && ${start} --workflow-id ${shellWord(workflowId)} --input-file s.json`;
}
