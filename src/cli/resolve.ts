import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';

/** `assay resolve SPEC`: the JSON for `temporal workflow start --input-file`. */
export function addResolve(program: Command, context: Context): void {
  program
    .command('resolve')
    .description('print a spec as the JSON that `temporal workflow start --input-file` takes')
    .argument('<spec>', 'file with a spec (YAML or JSON), or - for stdin')
    .action(async (file) => {
      const { loadSpec } = await import('./load-spec.ts');
      context.terminal.data(`${JSON.stringify(loadSpec(file).json, null, 1)}\n`);
    });
}
