import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';

/** What the options below give; src/cli/spec-overrides.ts reads them. */
export interface SpecOptions {
  readonly set: readonly string[];
  readonly only: readonly string[];
  readonly blocks?: number | undefined;
  readonly smoke?: true | undefined;
  readonly doc?: string | undefined;
}

/** Adds the argument `<spec>` and the options that change it, for every command that reads one. */
export function withSpec<Args extends unknown[], Opts extends Record<string, unknown>>(
  command: Command<Args, Opts>,
) {
  return command
    .argument('<spec>', 'file with a spec (YAML or JSON), or - for stdin')
    .addOption(
      new Option(
        '--set <path=value>',
        'change a setting, e.g. --set topics.main.partitions=12; again for more',
      )
        .argParser(collected)
        .default([] as readonly string[], 'none'),
    )
    .addOption(
      new Option('--only <scenario>', 'run this scenario only; again for more')
        .argParser(collected)
        .default([] as readonly string[], 'all'),
    )
    .addOption(new Option('--blocks <n>', 'number of blocks').argParser(blocksOf))
    .addOption(
      new Option('--smoke', 'a rehearsal at a tiny scale, in minutes: not a measurement').preset(
        true as const,
      ),
    )
    .addOption(new Option('--doc <which>', 'one spec of a file with several: its number or name'));
}

function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function blocksOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number from 1 to 200.');
}
