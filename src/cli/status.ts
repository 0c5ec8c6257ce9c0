import { type Command, Option } from '@commander-js/extra-typings';
import { type Context, type Session, withTemporal } from './context.ts';
import { CommandFailure, unknownExperiment } from './failure.ts';
import { EXIT } from './exit-codes.ts';
import { isS3Location } from '../store/s3-location.ts';

/** `assay status [ID]`: one experiment, followed or not, or the list. */
export function addStatus(program: Command, context: Context): void {
  program
    .command('status')
    .description('show an experiment, or list the last ones')
    .argument('[id]', 'workflow id of the experiment, or s3://bucket/prefix of its results')
    .option('-f, --follow', 'stay and follow it to its end, as `assay watch` does')
    .addOption(new Option('--json', 'print the status as JSON').conflicts('follow'))
    .action(async (id, options) => {
      if (id !== undefined && isS3Location(id)) return showStored(context, id, options.json === true);
      await withTemporal(context, false, async (session) => {
        if (id === undefined) await list(context, session, options.json === true);
        else if (options.follow) {
          const { followToEnd } = await import('./follow-to-end.ts');
          context.exitWith(await followToEnd(context, session, id, { json: false }));
        } else await showOne(context, session, id, options.json === true);
      });
    });
}

/** Of results in a bucket: where the worker is that knows more, nobody may know here. */
async function showStored(context: Context, location: string, json: boolean): Promise<void> {
  const { openResults } = await import('./results-folder.ts');
  const { storedStatus, storedStatusText } = await import('./stored-status.ts');
  const status = await storedStatus(openResults(location));
  context.terminal.data(json ? `${JSON.stringify(status, null, 1)}\n` : storedStatusText(status));
}

async function list(context: Context, { client }: Session, json: boolean): Promise<void> {
  const { listExperiments } = await import('./experiments.ts');
  const experiments = await listExperiments(client, { running: false, limit: 20 });
  if (json) context.terminal.data(`${JSON.stringify(experiments, null, 1)}\n`);
  else if (experiments.length === 0) context.terminal.say('No experiments yet.');
  else {
    const width = Math.max(...experiments.map(({ workflowId }) => workflowId.length));
    for (const { workflowId, state, startedAt } of experiments) {
      context.terminal.data(
        `${workflowId.padEnd(width)}  ${state.toLowerCase()}  ${startedAt.toISOString()}\n`,
      );
    }
  }
}

async function showOne(context: Context, { client }: Session, id: string, json: boolean): Promise<void> {
  const { observe } = await import('./observe.ts');
  const { state, status, heartbeat, silent } = await observe(client, id).catch((error: Error) => {
    throw error.name === 'WorkflowNotFoundError' ? unknownExperiment(id) : error;
  });
  if (json)
    context.terminal.data(`${JSON.stringify({ workflowId: id, state, status, heartbeat }, null, 1)}\n`);
  else if (status !== null) {
    const { statusText } = await import('./progress.ts');
    context.terminal.data(statusText({ status, heartbeat, ageMs: 0, nowMs: Date.now() }, id, state));
  } else if (state !== null) context.terminal.data(`${id}  ${state.toLowerCase()}\n`);
  if (silent === null) return;
  const who = silent === 'temporal' ? 'Temporal does' : 'The worker does';
  throw new CommandFailure(
    EXIT.infrastructure,
    `${who} not answer now; \`assay up\` starts it when it is down.`,
  );
}
