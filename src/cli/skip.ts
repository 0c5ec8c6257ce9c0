import { type Command, Option } from '@commander-js/extra-typings';
import type { SkipRequest } from '../temporal/controls.ts';
import type { Context } from './context.ts';
import { ask, DEFAULT_REASON } from './control.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';

/** `assay skip ID --next | --scenario S`: leaves trials out; the report names every hole. */
export function addSkip(program: Command, context: Context): void {
  program
    .command('skip')
    .description('leave trials out of a running experiment; the report names each')
    .argument('<id>', 'workflow id of the experiment')
    .addOption(new Option('--next', 'the next trial only').conflicts('scenario'))
    .option('--scenario <slug>', 'this scenario, from now on')
    .option('-r, --reason <text>', 'why, for the record', DEFAULT_REASON)
    .action(async (id, { next, scenario, reason }) => {
      if (next === undefined && scenario === undefined)
        throw new CommandFailure(EXIT.usage, 'Say which: --next, or --scenario with a scenario of the plan.');
      const which = scenario === undefined ? { next: true as const } : { scenario };
      const request: SkipRequest = { ...which, reason };
      await ask(context, id, 'skip', request);
    });
}
