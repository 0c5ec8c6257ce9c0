import { Argument, type Command } from '@commander-js/extra-typings';
import { oneOf } from './choice.ts';
import type { Node } from './completion/tree.ts';
import type { Context } from './context.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** `assay completion SHELL`: a script that completes commands and options, made from their own declaration. */
export function addCompletion(program: Command, context: Context): void {
  program
    .command('completion')
    .description('print a completion script, e.g. for `source <(assay completion bash)`')
    .addArgument(
      // Named like this, a missing argument says what may stand there.
      new Argument('<bash|zsh|fish>', 'the shell that completes').choices(SHELLS).argParser(oneOf(SHELLS)),
    )
    .action(async (shell) => {
      const { commandTree } = await import('./completion/tree.ts');
      const nodes = commandTree(program);
      context.terminal.data(await scriptFor(shell, nodes));
    });
}

async function scriptFor(shell: 'bash' | 'zsh' | 'fish', nodes: readonly Node[]): Promise<string> {
  if (shell === 'bash') return (await import('./completion/bash.ts')).bashCompletion(nodes);
  if (shell === 'zsh') return (await import('./completion/zsh.ts')).zshCompletion(nodes);
  return (await import('./completion/fish.ts')).fishCompletion(nodes);
}
