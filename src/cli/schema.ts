import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';

/** `assay schema`: the language as a JSON schema, for editors. */
export function addSchema(program: Command, context: Context): void {
  program
    .command('schema')
    .description('print the JSON schema of specs, for editors (yaml-language-server: $schema=…)')
    .action(async () => {
      const { readFile } = await import('node:fs/promises');
      const file = new URL('../../schema/assay-spec.schema.json', import.meta.url);
      context.terminal.data(await readFile(file, 'utf8'));
    });
}
