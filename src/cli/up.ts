import type { Command } from '@commander-js/extra-typings';
import { type Context, withTemporal } from './context.ts';

/** `assay up`: server and worker, kept alive until `assay down`. */
export function addUp(program: Command, context: Context): void {
  program
    .command('up')
    .description('start Temporal (when none is configured) and the worker, and keep both alive')
    .action(async () => {
      await withTemporal(context, true, async ({ client, choice }) => {
        const { waitForWorker } = await import('../temporal/worker-ready.ts');
        const { temporalFolders } = await import('../temporal/home.ts');
        await waitForWorker(client, temporalFolders(context.env).temporal);
        context.terminal.say(
          `Temporal at ${choice.address}, namespace ${choice.namespace}; the worker is ready.`,
        );
        if (choice.kind === 'embedded') {
          context.terminal.say(`Temporal's web UI: http://${choice.host}:${choice.uiPort}`);
        }
        context.terminal.say('`assay down` stops what was started here.');
      });
    });
}
