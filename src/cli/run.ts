import { type Command, Option } from '@commander-js/extra-typings';
import type { Plan } from '../design/plan.ts';
import type { TemporalChoice } from '../temporal/connection.ts';
import { type Context, type Session, withTemporal } from './context.ts';
import { EXIT, type ExitCode, worseOf } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';
import type { LoadedSpec } from './load-spec.ts';
import { type SpecOptions, withSpec } from './spec-options.ts';

interface RunOptions extends SpecOptions {
  readonly id?: string | undefined;
  readonly detach?: true | undefined;
  readonly json?: true | undefined;
}

interface Planned {
  readonly loaded: LoadedSpec;
  readonly plan: Plan;
}

/** `assay run SPEC`: from a spec to its report; several specs of one file run one after the other. */
export function addRun(program: Command, context: Context): void {
  withSpec(program.command('run').description('run the experiment of a spec and show its report'))
    .option('--id <id>', 'workflow id (default: <name>-<yyyymmdd-hhmmss>, UTC)')
    .addOption(new Option('-d, --detach', 'start it and return'))
    .addOption(new Option('--json', 'print the result as JSON instead of the report'))
    .action((file, options) => run(context, file, options));
}

async function run(context: Context, file: string, options: RunOptions): Promise<void> {
  const { loadSpecs } = await import('./load-spec.ts');
  const { makePlan, requireMachine } = await import('./make-plan.ts');
  const all = loadSpecs(file, { options, keepIn: context.env }).map(
    (loaded): Planned => ({ loaded, plan: makePlan(loaded) }),
  );
  requireOneFor(options, file, all.length);
  if (options.id !== undefined) {
    const { requireUsableId } = await import('./workflow-id.ts');
    for (const { plan } of all) requireUsableId(options.id, plan);
  }
  const { planSummary } = await import('./plan-text.ts');
  for (const { loaded, plan } of all) {
    for (const line of planSummary(plan)) context.terminal.say(line);
    for (const note of loaded.notes) context.terminal.say(`Note: ${note}`);
    await requireMachine(plan, context.env);
  }
  await withTemporal(context, true, async (session) => {
    let worst: ExitCode = EXIT.ok;
    for (const { loaded } of all) {
      const code = await runOne(context, session, file, options, loaded);
      worst = worseOf(worst, code);
      // Ctrl-C leaves the one that runs to itself, and starts no other.
      if (code === EXIT.detached) break;
    }
    context.exitWith(worst);
  });
}

/** What names or prints one experiment is refused for several. */
function requireOneFor({ id, detach, json }: RunOptions, file: string, specs: number): void {
  const option = id !== undefined ? '--id' : detach ? '--detach' : json ? '--json' : null;
  if (specs === 1 || option === null) return;
  throw new CommandFailure(
    EXIT.usage,
    `${file} holds ${specs} specs, which run one after the other, and ${option} is for one: choose it with --doc N or --doc NAME. Nothing was started.`,
  );
}

async function runOne(
  context: Context,
  session: Session,
  file: string,
  options: RunOptions,
  loaded: LoadedSpec,
): Promise<ExitCode> {
  const { defaultWorkflowId, startCommand, startExperiment } = await import('./start.ts');
  const { hostQueue, resolveHome } = await import('../lab/home.ts');
  const { specWords } = await import('./spec-overrides.ts');
  const { name, question, smoke } = loaded.spec;
  const workflowId = options.id ?? defaultWorkflowId(name, new Date());
  const host = hostQueue(resolveHome(context.env));
  const { json } = loaded;
  await startExperiment(session.client, { workflowId, json, name, question, smoke, hostQueue: host });
  const doc = options.doc ?? loaded.document?.toString();
  const words = specWords(file, { ...options, doc });
  await sayStarted(context, session.choice, workflowId, startCommand(words, workflowId, session.choice));
  if (options.detach) {
    context.terminal.say(`Detached; follow it with \`assay watch ${workflowId}\`.`);
    if (options.json) context.terminal.data(`${JSON.stringify({ workflowId })}\n`);
    return EXIT.ok;
  }
  const { followToEnd } = await import('./follow-to-end.ts');
  return await followToEnd(context, session, workflowId, { json: options.json === true });
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
