import { type Command, Option } from '@commander-js/extra-typings';
import type { Context } from './context.ts';
import { type SpecOptions, withSpec } from './spec-options.ts';

/** `assay plan SPEC`: what would be run, in which order, and what it would cost. */
export function addPlan(program: Command, context: Context): void {
  withSpec(
    program
      .command('plan')
      .description('show the plan of a spec: scenarios, orders, time, disk, precision; nothing is started'),
  )
    .addOption(new Option('--json', 'print the whole plan as JSON'))
    .action((file, options) => plan(context, file, options));
}

interface PlanOptions extends SpecOptions {
  readonly json?: true | undefined;
}

async function plan({ terminal }: Context, file: string, options: PlanOptions): Promise<void> {
  const { loadSpec, loadSpecs } = await import('./load-spec.ts');
  const { makePlan } = await import('./make-plan.ts');
  if (options.json) {
    terminal.data(`${JSON.stringify(makePlan(loadSpec(file, { options })), null, 1)}\n`);
    return;
  }
  const { planText } = await import('./plan-text.ts');
  const loaded = loadSpecs(file, { options });
  const plans = loaded.map((one) => makePlan(one));
  terminal.data(plans.map((one) => planText(one)).join('\n'));
  for (const note of loaded.flatMap((one) => one.notes)) terminal.say(`Note: ${note}`);
}
