import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isS3Location } from '../store/s3-location.ts';
import type { ExperimentResult } from '../temporal/status.ts';
import type { Context, Session } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { CommandFailure, unknownExperiment } from './failure.ts';
import { follow } from './follow.ts';
import { interruptible } from './interrupt.ts';
import { type Outcome, readOutcome } from './outcome.ts';
import { shellWord } from './words.ts';

export interface FollowToEndOptions {
  /** The result as JSON on stdout instead of the report. */
  readonly json: boolean;
  /** Say how it ended, without the report. */
  readonly quiet?: boolean;
}

/** Follows an experiment, then prints its report; returns the exit code. Ctrl-C detaches. */
export async function followToEnd(
  context: Context,
  { client }: Session,
  workflowId: string,
  options: FollowToEndOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const end = await interruptible((signal) =>
    follow({ client, workflowId, terminal, signal, advice: adviceFor(context) }),
  ).catch((error: Error) => {
    throw error.name === 'WorkflowNotFoundError' ? unknownExperiment(workflowId) : error;
  });
  if (end === 'detached') {
    const id = shellWord(workflowId);
    terminal.say(
      `Detached; ${workflowId} goes on. Come back with \`assay watch ${id}\`, end it with \`assay abort ${id}\`.`,
    );
    return EXIT.detached;
  }
  return await showOutcome(context, await readOutcome(client, workflowId), workflowId, options);
}

function adviceFor({ env }: Context): (silent: 'temporal' | 'worker') => string {
  return (silent) => {
    const home = env.ASSAY_HOME ? `, home ${env.ASSAY_HOME}` : '';
    return silent === 'temporal'
      ? `Nothing is lost; \`assay up\` starts it when it was stopped${home}.`
      : `Nothing is lost; \`assay up\` starts it when it was stopped, and says why when it cannot${home}.`;
  };
}

async function showOutcome(
  { terminal }: Context,
  outcome: Outcome,
  workflowId: string,
  options: FollowToEndOptions,
): Promise<ExitCode> {
  if (outcome.kind === 'failure') {
    if (options.json) terminal.data(`${JSON.stringify({ workflowId, failure: outcome.message }, null, 1)}\n`);
    throw new CommandFailure(outcome.exitCode, outcome.message);
  }
  const { result } = outcome;
  if (options.json) terminal.data(`${JSON.stringify({ workflowId, ...result }, null, 1)}\n`);
  else if (!options.quiet) await printReport(terminal, result);
  sayEnd(terminal, result);
  return outcome.exitCode;
}

async function printReport(
  terminal: Context['terminal'],
  { resultsFolder }: ExperimentResult,
): Promise<void> {
  if (resultsFolder === null) return;
  const { terminalReport } = await import('./results-folder.ts');
  if (isS3Location(resultsFolder)) {
    // The worker has rights there; who follows it may have none.
    const told = await terminalReport(resultsFolder, terminal).catch((error: Error) => error);
    if (told instanceof Error) terminal.say(`The results cannot be read from here: ${told.message}`);
    else terminal.data(told);
  }
  // A worker on another machine has its store there.
  else if (existsSync(join(resultsFolder, 'plan.json')))
    terminal.data(await terminalReport(resultsFolder, terminal));
}

function sayEnd(terminal: Context['terminal'], result: ExperimentResult): void {
  const say = (text: string) => terminal.say(text);
  const { outcome, message, leaks, resultsFolder } = result;
  if (outcome !== 'completed') say(`The experiment ended as ${outcome}: ${message}`);
  if (leaks.length > 0) say(`Left behind:\n${leaks.map((leak) => `  - ${leak}`).join('\n')}`);
  if (resultsFolder === null) return;
  const html = join(resultsFolder, 'report.html');
  say(existsSync(html) ? `Report: ${html}` : `Results: ${resultsFolder}`);
}
