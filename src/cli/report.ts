import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';

/** `assay report RESULTS`: the report again, from the store alone. */
export function addReport(program: Command, context: Context): void {
  program
    .command('report')
    .description('render the report of a results folder again and print its summary')
    .argument('<results>', 'results folder, s3://bucket/prefix, experiment key, or workflow id')
    .action(async (named) => {
      const { folderNamed } = await import('./find-results.ts');
      const dir = await folderNamed(context, named);
      const { renderResults, terminalReport } = await import('./results-folder.ts');
      const html = await renderResults(dir);
      context.terminal.data(await terminalReport(dir, context.terminal));
      context.terminal.say(`Report: ${html}`);
    });
}
