import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { readDuration } from '../spec/units.ts';
import { PAUSE_DEFAULT_MS, type PauseRequest } from '../temporal/controls.ts';
import type { Context } from './context.ts';
import { ask, DEFAULT_REASON } from './control.ts';

/** `assay pause ID`: no new trial until it is resumed or the limit passes. */
export function addPause(program: Command, context: Context): void {
  program
    .command('pause')
    .description('let an experiment wait between two trials; lab and machine stay taken')
    .argument('<id>', 'workflow id of the experiment')
    .option('--for <time>', 'goes on by itself after this, at most 24h (default: 1h)', durationMs)
    .option('-r, --reason <text>', 'why, for the record', DEFAULT_REASON)
    .action(async (id, options) => {
      const request: PauseRequest = { limit: options.for ?? PAUSE_DEFAULT_MS, reason: options.reason };
      await ask(context, id, 'pause', request);
    });
}

function durationMs(text: string): number {
  const read = readDuration(text);
  if (!read.ok) throw new InvalidArgumentError(read.message);
  return read.value;
}
