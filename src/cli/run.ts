import { type Command, Option } from '@commander-js/extra-typings';
import type { TemporalChoice } from '../temporal/connection.ts';
import { type Context, withTemporal } from './context.ts';

interface RunOptions {
  readonly id?: string | undefined;
  readonly detach?: true | undefined;
  readonly json?: true | undefined;
}

/** `assay run SPEC`: from a spec to its report. */
export function addRun(program: Command, context: Context): void {
  program
    .command('run')
    .description('run the experiment of a spec and show its report')
    .argument('<spec>', 'file with a spec (YAML or JSON), or - for stdin')
    .option('--id <id>', 'workflow id (default: <name>-<yyyymmdd-hhmmss>, UTC)')
    .addOption(new Option('-d, --detach', 'start it and return'))
    .addOption(new Option('--json', 'print the result as JSON instead of the report'))
    .action((file, options) => run(context, file, options));
}

async function run(context: Context, file: string, options: RunOptions): Promise<void> {
  const { loadSpec } = await import('./load-spec.ts');
  const loaded = loadSpec(file);
  const { makePlan, requireMachine } = await import('./make-plan.ts');
  const { planSummary } = await import('./plan-text.ts');
  const plan = makePlan(loaded);
  if (options.id !== undefined) {
    const { requireUsableId } = await import('./workflow-id.ts');
    requireUsableId(options.id, plan);
  }
  for (const line of planSummary(plan)) context.terminal.say(line);
  await requireMachine(plan, context.env);
  await withTemporal(context, true, async (session) => {
    const { defaultWorkflowId, startCommand, startExperiment } = await import('./start.ts');
    const { name, question } = loaded.spec;
    const workflowId = options.id ?? defaultWorkflowId(name, new Date());
    const { hostQueue, resolveHome } = await import('../lab/home.ts');
    const host = hostQueue(resolveHome(context.env));
    await startExperiment(session.client, { workflowId, json: loaded.json, name, question, hostQueue: host });
    await sayStarted(context, session.choice, workflowId, startCommand(file, workflowId, session.choice));
    if (options.detach) {
      context.terminal.say(`Detached; follow it with \`assay watch ${workflowId}\`.`);
      if (options.json) context.terminal.data(`${JSON.stringify({ workflowId })}\n`);
      return;
    }
    const { followToEnd } = await import('./follow-to-end.ts');
    context.exitWith(await followToEnd(context, session, workflowId, { json: options.json === true }));
  });
}

async function sayStarted(
  { terminal, env }: Context,
  choice: TemporalChoice,
  workflowId: string,
  command: string,
): Promise<void> {
  const { uiLink } = await import('../temporal/connection.ts');
  const link = uiLink(choice, workflowId, env);
  terminal.say(`Experiment  ${workflowId}`);
  if (link !== null) terminal.say(`Temporal UI ${link}`);
  terminal.say(`The same by hand: ${command}`);
}
