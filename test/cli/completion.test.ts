import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { beforeAll, describe, expect, it } from 'vitest';
import { fishCompletion } from '../../src/cli/completion/fish.ts';
import { commandTree } from '../../src/cli/completion/tree.ts';
import { zshCompletion } from '../../src/cli/completion/zsh.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');
const run = promisify(execFile);

let script: string;
let commands: string[];
beforeAll(async () => {
  ({ stdout: script } = await run(process.execPath, [BIN, 'completion', 'bash']));
  const { stdout } = await run(process.execPath, [BIN, '--help']);
  commands = [...stdout.matchAll(/^ {2}([a-z][a-z-]+)/gm)].map((match) => match[1] ?? '');
});

/** What bash offers for the last of these words; `files` when it would complete files too. */
async function offers(...words: string[]): Promise<{ words: string[]; files: boolean }> {
  // compopt works only while readline completes: here it only tells that it was called.
  const program = `
    compopt() { fell_back=1; }
    eval "$1"; shift
    complete -p assay >/dev/null || exit 9
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); fell_back=0
    _assay
    printf '%s\\n' "$fell_back" "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await run('bash', ['--norc', '-c', program, 'test', script, 'assay', ...words]);
  expect(stderr).toBe('');
  const [files, ...found] = stdout.split('\n').filter((line) => line !== '');
  return { words: found, files: files === '1' };
}

describe('completion in bash', () => {
  it('offers every command that help lists, and none that is hidden', async () => {
    const { words, files } = await offers('');
    expect(words.toSorted()).toEqual(commands.toSorted());
    expect(commands).toEqual(expect.arrayContaining(['run', 'doctor', 'ls', 'trial', 'completion']));
    expect(words).not.toContain('supervise');
    expect(files).toBe(false);
  });

  it.each([
    [['va'], ['validate'], false],
    [['run', '--i'], ['--id'], true],
    [['run', ''], [], true],
    [['run', 'spec.yaml', '--js'], ['--json'], true],
    [['trial', ''], ['ls', 'show', 'logs', 'help'], false],
    [['trial', 'logs', '--st'], ['--stdout', '--stderr'], true],
    [['ls', '--a'], ['--all'], false],
    [['completion', ''], ['bash', 'zsh', 'fish'], false],
    [['nonsense', ''], null, false],
  ] as const)('%j', async (line, expected, files) => {
    const seen = await offers(...line);
    if (expected !== null) expect(seen.words).toEqual(expected);
    if (!line.at(-1)?.startsWith('-')) expect(seen.files).toBe(files);
  });

  it('takes no name of a command after an option for a command', async () => {
    expect((await offers('trial', 'logs', '--load', 'ls', '--s')).words).toEqual([
      '--stdout',
      '--stderr',
      '--samples',
    ]);
  });
});

describe('completion in other shells', () => {
  const tree = () => {
    const program = new Command('assay');
    program
      .command('trap')
      .description("it's a $(touch /tmp/x) `trap`: \\ and more")
      .option('-x, --ex <y>', 'a: b');
    program.command('unseen', { hidden: true });
    return commandTree(program);
  };

  it('has descriptions that no shell obeys', () => {
    expect(zshCompletion(tree())).toContain(`'trap:it'\\''s a $(touch /tmp/x) \`trap\`: \\ and more'`);
    expect(fishCompletion(tree())).toContain(
      `-a 'trap' -d 'it\\'s a $(touch /tmp/x) \`trap\`: \\\\ and more'`,
    );
    expect(fishCompletion(tree())).toContain("-l ex -s x -r -d 'a: b'");
    expect(`${zshCompletion(tree())}${fishCompletion(tree())}`).not.toContain('unseen');
  });

  it('refuses a shell that is not known, with the ones that are', async () => {
    await expect(run(process.execPath, [BIN, 'completion', 'tcsh'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bash, zsh, fish'),
    });
  });
});
