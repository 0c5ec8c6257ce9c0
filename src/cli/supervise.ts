import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';

/** `assay supervise`: what `up` starts in the background. Hidden; a service manager may run it in the foreground. */
export function addSupervise(program: Command, context: Context): void {
  program
    .command('supervise', { hidden: true })
    .description('keep the worker and the embedded Temporal alive (in the foreground)')
    .action(async () => {
      const { supervise } = await import('../temporal/supervisor.ts');
      const say = (text: string) => context.terminal.say(`${new Date().toISOString()} ${text}`);
      if ((await supervise(context.env, say)) === 'not-needed') say('this home has a supervisor already');
    });
}
