import { type Command, Option } from '@commander-js/extra-typings';
import type { Context } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';
import { locationBelow } from '../store/open-store.ts';
import type { LogOptions } from './trial-logs.ts';

const RESULTS = 'results folder, s3://bucket/prefix, experiment key, or workflow id';
const TRIAL = 'b3/batch=64KiB/a1, or b3/batch=64KiB for its last attempt';

/** `assay trial ls|show|logs`: one measurement, down to its raw files. */
export function addTrial(program: Command, context: Context): void {
  const trial = program
    .command('trial')
    .description('the trials of an experiment: list them, show one with its evidence, read its raw files');
  addLs(trial, context);
  addShow(trial, context);
  addLogs(trial, context);
}

function addLs(trial: Command, context: Context): void {
  trial
    .command('ls')
    .description('every attempt with its verdict')
    .argument('<results>', RESULTS)
    .addOption(new Option('--json', 'print them as JSON'))
    .action(async (named, options) => {
      const { store } = await open(context, named);
      const { attemptsIn, recordOf } = await import('./trial-files.ts');
      const { trialRow, trialTable } = await import('./trial-text.ts');
      const rows = [];
      for (const attempt of await attemptsIn(store)) {
        rows.push(trialRow(attempt.id, await recordOf(store, attempt)));
      }
      if (options.json) context.terminal.data(`${JSON.stringify(rows, null, 1)}\n`);
      else if (rows.length === 0) context.terminal.say('No trial has ended yet.');
      else context.terminal.data(trialTable(rows));
    });
}

function addShow(trial: Command, context: Context): void {
  trial
    .command('show')
    .description('one attempt: verdict with all reasons, the exact command, the file behind every number')
    .argument('<results>', RESULTS)
    .argument('<trial>', TRIAL)
    .addOption(new Option('--json', 'print its record as JSON'))
    .action(async (named, wanted, options) => {
      const { folder, store } = await open(context, named);
      const { attemptsIn, findAttempt, recordOf } = await import('./trial-files.ts');
      const attempt = findAttempt(await attemptsIn(store), wanted);
      const record = await recordOf(store, attempt);
      const rawFolder = locationBelow(folder, `trials/${attempt.id}`);
      if (record === null) {
        throw new CommandFailure(
          EXIT.usage,
          `${attempt.id} has no verdict: collecting it was cut short. What there is lies in ${rawFolder}: ${attempt.files.join(', ')}.`,
        );
      }
      if (options.json) context.terminal.data(`${JSON.stringify({ rawFolder, ...record }, null, 1)}\n`);
      else {
        const { trialText } = await import('./trial-text.ts');
        context.terminal.data(trialText(record, { folder, files: await store.list('') }));
      }
    });
}

function addLogs(trial: Command, context: Context): void {
  trial
    .command('logs')
    .description('the raw files of one attempt; what a terminal would obey is written out')
    .argument('<results>', RESULTS)
    .argument('<trial>', TRIAL)
    .option('--load <name>', 'of this load only')
    .option('--stdout', 'what the perf tool printed, each line after its two clocks')
    .option('--stderr', 'its errors and warnings')
    .option('--samples', 'the samples of the machine, one line of JSON a second')
    .action((named, wanted, options) => logs(context, named, wanted, options));
}

async function logs(context: Context, named: string, wanted: string, options: LogOptions): Promise<void> {
  const { folder, store } = await open(context, named);
  const { attemptsIn, findAttempt } = await import('./trial-files.ts');
  const { chooseFiles, shownText } = await import('./trial-logs.ts');
  const attempt = findAttempt(await attemptsIn(store), wanted);
  const chosen = chooseFiles(attempt, options);
  for (const name of chosen) {
    const content = await store.get(`trials/${attempt.id}/${name}`);
    context.terminal.say(
      `${locationBelow(folder, `trials/${attempt.id}/${name}`)}${content.length === 0 ? ': empty' : ':'}`,
    );
    context.terminal.data(shownText(content.toString('utf8')));
  }
}

async function open(context: Context, named: string) {
  const { findResults } = await import('./find-results.ts');
  const { openResults } = await import('./results-folder.ts');
  const folder = await findResults(context, named);
  return { folder, store: openResults(folder) };
}
