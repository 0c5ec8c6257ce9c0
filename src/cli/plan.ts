import { type Command, Option } from '@commander-js/extra-typings';
import type { Context } from './context.ts';

/** `assay plan SPEC`: what would be run, in which order, and what it would cost. */
export function addPlan(program: Command, context: Context): void {
  program
    .command('plan')
    .description('show the plan of a spec: scenarios, orders, time, disk, precision; nothing is started')
    .argument('<spec>', 'file with a spec (YAML or JSON), or - for stdin')
    .addOption(new Option('--json', 'print the whole plan as JSON'))
    .action(async (file, options) => {
      const { loadSpec } = await import('./load-spec.ts');
      const { makePlan } = await import('./make-plan.ts');
      const plan = makePlan(loadSpec(file));
      if (options.json) context.terminal.data(`${JSON.stringify(plan, null, 1)}\n`);
      else {
        const { planText } = await import('./plan-text.ts');
        context.terminal.data(planText(plan));
      }
    });
}
