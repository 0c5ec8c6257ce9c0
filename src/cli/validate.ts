import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';

/** `assay validate SPEC`: every mistake at once, with its place. */
export function addValidate(program: Command, context: Context): void {
  program
    .command('validate')
    .description('check a spec and say every mistake with its line and column')
    .argument('<spec>', 'file with a spec (YAML or JSON), or - for stdin')
    .action(async (file) => {
      const { loadSpec } = await import('./load-spec.ts');
      const { spec } = loadSpec(file);
      context.terminal.say(`${file === '-' ? 'stdin' : file}: valid, experiment ${spec.name}.`);
    });
}
