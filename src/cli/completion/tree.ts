import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** A command as a shell needs to know it; plain data, made from the command line's own declaration. */
export interface Node {
  /** `''` for assay itself, `/trial/ls` below. */
  readonly path: string;
  /** What may stand next: subcommands, or the values that an argument is limited to. */
  readonly words: readonly Word[];
  readonly options: readonly Option[];
  /** Whether an argument may be a file or folder. */
  readonly files: boolean;
}

export interface Word {
  readonly name: string;
  readonly description: string;
}

export interface Option {
  /** `--json`; and `-d` where there is one. */
  readonly long: string;
  readonly short: string | null;
  readonly takesValue: boolean;
  readonly description: string;
}

/** Arguments that are names and never files. */
const NAMES: ReadonlySet<string> = new Set(['id', 'trial', 'command']);

/** Every command that help shows, assay itself first. */
export function commandTree(program: CommandUnknownOpts, path = ''): Node[] {
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  const limited = program.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((name) => ({ name, description })),
  );
  const node: Node = {
    path,
    words: [...commands.map((c) => ({ name: c.name(), description: c.description() })), ...limited],
    options: help
      .visibleOptions(program)
      .flatMap(({ long, short, required, optional, description }) =>
        long == null ? [] : [{ long, short: short ?? null, takesValue: required || optional, description }],
      ),
    files: program.registeredArguments.some((a) => a.argChoices === undefined && !NAMES.has(a.name())),
  };
  return [node, ...commands.flatMap((command) => commandTree(command, `${path}/${command.name()}`))];
}

/** A text in single quotes that bash and zsh take as it is. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
