import { type Command, Option } from '@commander-js/extra-typings';
import type { Machine } from '../design/advice-machine.ts';
import type { Context } from './context.ts';
import { type SpecOptions, withSpec } from './spec-options.ts';

/** `assay plan SPEC`: what would be run, in which order, and what it would cost. */
export function addPlan(program: Command, context: Context): void {
  withSpec(
    program
      .command('plan')
      .description('show the plan of a spec: scenarios, orders, time, disk, precision; nothing is started'),
  )
    .addOption(
      new Option(
        '--json',
        'print the whole plan as JSON, the very bytes that an experiment stores and its report names by hash',
      ),
    )
    .action((file, options) => plan(context, file, options));
}

interface PlanOptions extends SpecOptions {
  readonly json?: true | undefined;
}

async function plan({ terminal, env }: Context, file: string, options: PlanOptions): Promise<void> {
  const { loadSpec, loadSpecs } = await import('./load-spec.ts');
  const { makePlan } = await import('./make-plan.ts');
  if (options.json) {
    const { planJson } = await import('../design/plan-json.ts');
    terminal.data(planJson(makePlan(loadSpec(file, { options }))));
    return;
  }
  const { planText } = await import('./plan-text.ts');
  const { adviceOnMachine } = await import('../design/advice-machine.ts');
  const loaded = loadSpecs(file, { options });
  const plans = loaded.map((one) => makePlan(one));
  terminal.data(plans.map((one) => planText(one)).join('\n'));
  for (const note of loaded.flatMap((one) => one.notes)) terminal.say(`Note: ${note}`);
  const machine = await thisMachine(env);
  for (const { message } of plans.flatMap((one) => adviceOnMachine(one, machine)))
    terminal.say(`Note, on this machine: ${message}`);
}

async function thisMachine(env: NodeJS.ProcessEnv): Promise<Machine> {
  const { allowedCores } = await import('../lab/local/pinning.ts');
  const { totalmem } = await import('node:os');
  const { readMachine } = await import('../lab/local/preflight.ts');
  const { resolveHome } = await import('../lab/home.ts');
  const { freeDiskBytes } = readMachine(resolveHome(env));
  return { cores: allowedCores().length, memoryBytes: totalmem(), freeDiskBytes };
}
