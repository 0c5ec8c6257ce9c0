import type { Command } from '@commander-js/extra-typings';
import type { Client, ScheduleOptions } from '@temporalio/client';
import type { Spec } from '../spec/schema.ts';
import { EXPERIMENT_WORKFLOW, TASK_QUEUE } from '../temporal/status.ts';
import { type Context, withTemporal } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';
import type { LoadedSpec } from './load-spec.ts';
import { withSpec } from './spec-options.ts';
import { shellWord } from './words.ts';

type Schedule = NonNullable<Spec['schedule']>;

/** How Temporal's API and its command line name what happens when the night before still runs. */
const OVERLAP = {
  skip: ['SKIP', 'Skip'],
  bufferOne: ['BUFFER_ONE', 'BufferOne'],
  bufferAll: ['BUFFER_ALL', 'BufferAll'],
  allowAll: ['ALLOW_ALL', 'AllowAll'],
} as const;

/** `assay schedule SPEC`: hands the spec's `schedule` section to Temporal, anew when there is one of that id. */
export function addSchedule(program: Command, context: Context): void {
  withSpec(
    program
      .command('schedule')
      .description(
        "hand the spec's schedule to Temporal: it then runs by itself, also without this machine's shell",
      ),
  )
    .option(
      '--id <id>',
      "schedule id, and the beginning of each run's workflow id (default: the spec's name)",
    )
    .option('--print', 'print the same as a command of the Temporal CLI, and change nothing')
    .action(async (file, options) => {
      const { loadSpec } = await import('./load-spec.ts');
      const { makePlan } = await import('./make-plan.ts');
      const loaded = loadSpec(file, { options, keepIn: context.env });
      const plan = makePlan(loaded);
      const schedule = scheduleOf(loaded, file);
      const { idOf } = await import('./start.ts');
      const id = options.id ?? idOf(loaded.spec.name);
      const { requireUsableId } = await import('./workflow-id.ts');
      requireUsableId(id, plan);
      if (options.print) {
        context.terminal.data(`${temporalCommand(id, schedule)}\n`);
        return;
      }
      await create(context, id, schedule, loaded);
      if (loaded.spec.design.seed === 'auto')
        context.terminal.say(
          'Note: design.seed is auto, so every run has the same order of trials; design.seed: run draws a new one each time.',
        );
    });
}

function scheduleOf({ spec }: LoadedSpec, file: string): Schedule {
  if (spec.schedule !== undefined) return spec.schedule;
  throw new CommandFailure(
    EXIT.usage,
    `${file} has no schedule. Add one, e.g. schedule: { cron: 30 2 * * *, zone: Europe/Berlin }.`,
  );
}

async function create(context: Context, id: string, schedule: Schedule, loaded: LoadedSpec): Promise<void> {
  const { hostQueue, resolveHome } = await import('../lab/home.ts');
  const host = hostQueue(resolveHome(context.env));
  const { memoOf } = await import('./start.ts');
  const memo = memoOf(loaded.spec, host);
  await withTemporal(context, true, async ({ client }) => {
    const made = await put(client, optionsOf(id, schedule, loaded.json, memo));
    const { info } = await client.schedule.getHandle(id).describe();
    const next = info.nextActionTimes[0]?.toISOString() ?? 'never';
    context.terminal.say(`Schedule ${id} ${made}; next run ${next}.`);
    context.terminal.say(
      `\`temporal schedule trigger --schedule-id ${shellWord(id)}\` runs it now, \`temporal schedule delete --schedule-id ${shellWord(id)}\` ends it, \`assay ls\` shows its experiments.`,
    );
  });
}

function optionsOf(
  id: string,
  { cron, zone, overlap, catchUp, jitter }: Schedule,
  json: unknown,
  memo: Record<string, string>,
): ScheduleOptions {
  return {
    scheduleId: id,
    spec: { cronExpressions: [cron], timezone: zone, jitter },
    policies: { overlap: OVERLAP[overlap][0], catchupWindow: catchUp },
    action: {
      type: 'startWorkflow',
      workflowType: EXPERIMENT_WORKFLOW,
      taskQueue: TASK_QUEUE,
      workflowId: id,
      args: [json],
      memo,
    },
  };
}

/** Creates the schedule, or gives one of that id the new content; runs that are under way go on. */
async function put(client: Client, options: ScheduleOptions): Promise<'created' | 'changed'> {
  try {
    await client.schedule.create(options);
    return 'created';
  } catch (error) {
    if ((error as Error).name !== 'ScheduleAlreadyRunning') throw error;
  }
  const { spec, policies, action } = options;
  await client.schedule
    .getHandle(options.scheduleId)
    .update(({ state }) => ({ spec, ...(policies === undefined ? {} : { policies }), action, state }));
  return 'changed';
}

/** The same with Temporal's own CLI; `spec.json` is what `assay resolve` prints. */
export function temporalCommand(id: string, { cron, zone, overlap, catchUp, jitter }: Schedule): string {
  const words = [
    'temporal schedule create',
    `--schedule-id ${shellWord(id)}`,
    `--cron ${shellWord(cron)}`,
    `--time-zone ${shellWord(zone)}`,
    `--overlap-policy ${OVERLAP[overlap][1]}`,
    `--catchup-window ${catchUp}ms`,
    `--jitter ${jitter}ms`,
    `--type ${EXPERIMENT_WORKFLOW} --task-queue ${TASK_QUEUE}`,
    `--workflow-id ${shellWord(id)} --input-file spec.json`,
  ];
  return words.join(' ');
}
