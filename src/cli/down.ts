import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';

/** `assay down`: ends what `up` or `run` started, and proves it. */
export function addDown(program: Command, context: Context): void {
  program
    .command('down')
    .description('stop the worker and the embedded Temporal of this home; results and histories stay')
    .action(async () => {
      const { livingProcesses, takeDown } = await import('../temporal/up.ts');
      const living = livingProcesses(context.env);
      if (living.length === 0) {
        context.terminal.say('Nothing runs in this home.');
        return;
      }
      await warnOfExperiments(context);
      await takeDown(context.env);
      context.terminal.say(`Stopped: ${living.map(({ name, pid }) => `${name} (pid ${pid})`).join(', ')}.`);
    });
}

/** Experiments do not end with the worker: they go on at the next `up`. Who stops it should know. */
async function warnOfExperiments(context: Context): Promise<void> {
  const { chooseTemporal, openClient } = await import('../temporal/connection.ts');
  const { listExperiments } = await import('./experiments.ts');
  try {
    const open = await openClient(chooseTemporal(context.env), 3_000);
    try {
      const running = await listExperiments(open.client, { running: true, limit: 10 });
      for (const { workflowId } of running) {
        context.terminal.say(
          `${workflowId} is still running; it goes on at the next \`assay up\` (\`assay abort ${workflowId}\` ends it).`,
        );
      }
    } finally {
      await open.close();
    }
  } catch {
    // A server that does not answer has nothing to warn of, and must be stoppable.
  }
}
