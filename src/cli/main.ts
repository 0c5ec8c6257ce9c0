import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { temporalFolders } from '../temporal/home.ts';
import { addAbort } from './abort.ts';
import { addCleanup } from './cleanup.ts';
import { addCompletion } from './completion.ts';
import type { Context } from './context.ts';
import { addDoctor } from './doctor.ts';
import { addDown } from './down.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { addExtend } from './extend.ts';
import { describeFailure } from './failure.ts';
import { addFinishEarly } from './finish-early.ts';
import { addInit } from './init.ts';
import { addInspect } from './inspect.ts';
import { addLs } from './ls.ts';
import { addPause } from './pause.ts';
import { addPlan } from './plan.ts';
import { addReport } from './report.ts';
import { addResolve } from './resolve.ts';
import { addResume } from './resume.ts';
import { addRun } from './run.ts';
import { addSchedule } from './schedule.ts';
import { addSchema } from './schema.ts';
import { addSkip } from './skip.ts';
import { addStatus } from './status.ts';
import { addSupervise } from './supervise.ts';
import { processTerminal } from './terminal.ts';
import { addTrial } from './trial.ts';
import { addUp } from './up.ts';
import { addValidate } from './validate.ts';
import { addVerify } from './verify.ts';
import { versionText } from './version.ts';
import { addWatch } from './watch.ts';

const COMMANDS = [
  addInit,
  addRun,
  addSchedule,
  addValidate,
  addPlan,
  addResolve,
  addSchema,
  addStatus,
  addLs,
  addWatch,
  addPause,
  addResume,
  addSkip,
  addFinishEarly,
  addExtend,
  addAbort,
  addUp,
  addDown,
  addDoctor,
  addCleanup,
  addReport,
  addVerify,
  addInspect,
  addTrial,
  addCompletion,
  addSupervise,
];

/** Runs one command line and returns its exit code. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  const { env } = process;
  let exitCode: ExitCode = EXIT.ok;
  const context: Context = { terminal: processTerminal(env), env, exitWith: (code) => (exitCode = code) };
  const program = new Command('assay')
    .description('Kafka benchmark experiments that stand up to a sceptic.')
    .version(
      versionText(),
      '-V, --version',
      'print the versions of assay, Node, Kafka and the language of specs',
    )
    .showHelpAfterError('(`assay help` lists the commands)')
    .showSuggestionAfterError()
    .exitOverride();
  for (const add of COMMANDS) add(program, context);
  // Commands that were added above got none of it.
  for (const command of program.commands) inherit(command, program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has told the user already, help and version included.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const logs = temporalFolders(env).temporal;
    const failure = describeFailure(error, { debug: Boolean(env.ASSAY_DEBUG), logs });
    if (failure.message !== '') context.terminal.say(failure.message);
    return failure.exitCode;
  }
}

/** Settings of the program for a command and those below it; a wrong use points at the command's own help. */
function inherit(command: CommandUnknownOpts, parent: CommandUnknownOpts, path = 'assay'): void {
  const own = `${path} ${command.name()}`;
  command.copyInheritedSettings(parent).showHelpAfterError(`(\`${own} --help\` says how it is used)`);
  for (const below of command.commands) inherit(below, command, own);
}

/** Ends the process when both streams are written: a pipe that is slow to read loses nothing. */
async function exit(code: ExitCode): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
  process.exit(code);
}

// `assay … | head` closes the pipe early: that is the reader's right and no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  process.stderr.write(`assay: stdout cannot be written: ${error.message}\n`);
  process.exit(EXIT.infrastructure);
});

await exit(await main(process.argv.slice(2)));
