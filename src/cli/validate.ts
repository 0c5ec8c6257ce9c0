import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';
import { withSpec } from './spec-options.ts';

/** `assay validate SPEC`: all mistakes that can be told at once, with their places. */
export function addValidate(program: Command, context: Context): void {
  withSpec(
    program
      .command('validate')
      .description('check a spec: all mistakes that can be told at once, with line and column'),
  ).action(async (file, options) => {
    const { loadSpecs } = await import('./load-spec.ts');
    const loaded = loadSpecs(file, { options });
    const name = file === '-' ? 'stdin' : file;
    for (const { spec, document, notes } of loaded) {
      const which = document === null ? '' : ` (document ${document})`;
      context.terminal.say(`${name}${which}: valid, experiment ${spec.name}.`);
      for (const note of notes) context.terminal.say(`Note: ${note}`);
    }
  });
}
