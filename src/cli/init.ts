import { writeFileSync } from 'node:fs';
import { Argument, type Command } from '@commander-js/extra-typings';
import { oneOf } from './choice.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';
import { questionOf, SPEAK_OF, STARTERS, type Starter, starterText } from './starters.ts';
import { shellWord } from './words.ts';

/** `assay init [KIND]`: a commented spec to start from. */
export function addInit(program: Command, context: Context): void {
  program
    .command('init')
    .description('print a commented spec to start from; without a kind, list them')
    .addArgument(
      new Argument('[kind]', 'kind of question').choices(STARTERS).argParser(oneOf(STARTERS, SPEAK_OF)),
    )
    .option('-o, --out <file>', 'write it to a new file')
    .action((kind, { out }) => {
      if (kind !== undefined) give(context, kind, out);
      else if (out === undefined) list(context);
      else {
        throw new CommandFailure(
          EXIT.usage,
          `--out needs a kind of question, e.g. assay init ${STARTERS[0]} --out ${shellWord(out)}. \`assay init\` lists them.`,
        );
      }
    });
}

function list({ terminal }: Context): void {
  const width = Math.max(...STARTERS.map((name) => name.length));
  for (const name of STARTERS) {
    terminal.data(`${name.padEnd(width)}  ${questionOf(starterText(name))}\n`);
  }
  terminal.say('`assay init batch-size --out batch-size.yaml` writes one; then change what is yours.');
}

function give({ terminal }: Context, kind: Starter, out: string | undefined): void {
  const text = starterText(kind);
  if (out === undefined) return terminal.data(text);
  writeNew(out, text);
  const file = shellWord(out);
  terminal.say(
    `${out} is written. Change what is yours, then: assay validate ${file}, assay plan ${file}, assay run ${file}.`,
  );
}

/** Never over a file that is there: it may be somebody's spec. */
function writeNew(out: string, text: string): void {
  try {
    writeFileSync(out, text, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = {
      EEXIST: 'it is there already, and is not overwritten',
      ENOENT: out === '' ? 'the name is empty' : 'its folder does not exist',
      EISDIR: 'it is a folder',
      ENOTDIR: 'a part of its path is a file',
      EACCES: 'permission denied',
      EROFS: 'the file system is read-only',
    };
    throw new CommandFailure(
      EXIT.usage,
      `${JSON.stringify(out)}: ${why[code as keyof typeof why] ?? message}. Name a new file.`,
    );
  }
}
