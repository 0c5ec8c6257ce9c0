import type { Command } from '@commander-js/extra-typings';
import type { Inspection, InspectOptions } from '../measure/inspect.ts';
import type { ToolErrors } from '../measure/stderr.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';

interface Flags {
  readonly asked?: string | undefined;
  readonly throughput?: string | undefined;
  readonly stderr?: string | undefined;
  readonly json?: true | undefined;
}

/** `assay inspect FILE…`: what the output of a perf tool really says, whoever captured it. */
export function addInspect(program: Command, context: Context): void {
  program
    .command('inspect')
    .description('say what the output of a Kafka perf tool really says: count, verdict, reasons')
    .argument('<file...>', 'captured output (also .gz), or - for stdin')
    .option('--asked <n>', 'records that the run was asked for (--num-records)')
    .option('--throughput <n>', 'records/s that a limited run was asked for')
    .option('--stderr <file>', 'the stderr of the one run, when it was captured apart')
    .option('--json', 'one JSON object a line and file')
    .addHelpText(
      'after',
      '\nExit codes: 0 every file is valid, 2 a file or option is wrong, 4 some file is invalid.',
    )
    .action(async (files, flags) => {
      const known = await optionsOf(files, flags);
      const stderr = flags.stderr === undefined ? null : await readErrors(flags.stderr);
      const { inspectText } = await import('./inspect-text.ts');
      for (const file of files) {
        const inspection = await inspectFile(file, { ...known, stderr });
        const text = flags.json
          ? JSON.stringify(inspection)
          : inspectText(inspection, context.terminal.colour);
        context.terminal.data(`${text}\n`);
        if (inspection.verdict === 'invalid') context.exitWith(EXIT.undecided);
      }
    });
}

async function inspectFile(file: string, options: InspectOptions): Promise<Inspection> {
  const { inspector } = await import('../measure/inspect-lines.ts');
  const { inspect } = await import('../measure/inspect.ts');
  const { readOutput } = await import('./read-output.ts');
  const reader = inspector();
  const { cut } = await readOutput(file, (chunk) => reader.push(chunk));
  return inspect(file, reader.end(), { ...options, cut });
}

async function readErrors(file: string): Promise<ToolErrors> {
  const { inspector } = await import('../measure/inspect-lines.ts');
  const { readOutput } = await import('./read-output.ts');
  const reader = inspector();
  await readOutput(file, (chunk) => reader.push(chunk));
  return reader.end().errors;
}

/**
 * The flags as numbers, and every file there.
 *
 * @throws CommandFailure with every mistake, exit code 2.
 */
async function optionsOf(
  files: readonly string[],
  flags: Flags,
): Promise<Pick<InspectOptions, 'asked' | 'askedRecordsPerS'>> {
  const { readCount } = await import('../spec/units.ts');
  const problems: string[] = [];
  const count = (name: string, text: string | undefined): number | null => {
    if (text === undefined) return null;
    const read = readCount(text);
    if (read.ok && read.value > 0) return read.value;
    problems.push(`${name}: ${read.ok ? 'at least 1 is meant.' : read.message}`);
    return null;
  };
  const asked = count('--asked', flags.asked);
  const askedRecordsPerS = count('--throughput', flags.throughput);
  if (flags.stderr !== undefined && files.length > 1)
    problems.push('--stderr belongs to one run: name one FILE with it, and inspect the others on their own.');
  const { unreadableFiles } = await import('./read-output.ts');
  problems.push(...unreadableFiles([...files, ...(flags.stderr === undefined ? [] : [flags.stderr])]));
  if (problems.length > 0) throw new CommandFailure(EXIT.usage, problems.join('\n'));
  return { asked, askedRecordsPerS };
}
