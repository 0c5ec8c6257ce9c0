import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';
import { withSpec } from './spec-options.ts';

/** `assay resolve SPEC`: the JSON for `temporal workflow start --input-file`; payload files are kept in the home. */
export function addResolve(program: Command, context: Context): void {
  withSpec(
    program
      .command('resolve')
      .description('print a spec as the JSON that `temporal workflow start --input-file` takes'),
  ).action(async (file, options) => {
    const { loadSpec } = await import('./load-spec.ts');
    const { json, notes } = loadSpec(file, { options, keepIn: context.env });
    for (const note of notes) context.terminal.say(`Note: ${note}`);
    context.terminal.data(`${JSON.stringify(json, null, 1)}\n`);
  });
}
