import { ApplicationFailure, Context } from '@temporalio/activity';
import { type Beat, beating } from './beat.ts';
import type { JanitorActivities } from './contract-janitor.ts';
import type { ActivityDeps } from './deps.ts';
import { readInput } from '../src/janitor/input.ts';
import { look, remove, type Shift, type Ways } from '../src/janitor/janitor.ts';
import type { Looked, Scope } from '../src/janitor/leftover.ts';
import { waysOf } from '../src/janitor/ways.ts';
import { INVALID_SPEC } from '../src/temporal/status.ts';

/** Leftovers of one run. */
const MOST = 300;

/**
 * Finds and removes what terminated experiments left.
 *
 * @param ways how everything is reached; by default as the worker's environment says, asking the Temporal that it works for.
 */
export function janitorActivities(
  { hostQueue }: Pick<ActivityDeps, 'hostQueue'>,
  ways: () => Ways = () => waysOf(process.env, Context.current().client),
): JanitorActivities {
  return {
    lookForLeftovers: (input) =>
      beating(async (beat) => {
        const read = readInput(input);
        if ('wrong' in read)
          throw ApplicationFailure.create({
            message: `The input of the janitor is wrong. ${read.wrong.join(' ')}`,
            type: INVALID_SPEC,
            nonRetryable: true,
          });
        return { ...bounded(await look(shiftOf(ways(), read.scope, beat))), ...read, hostQueue };
      }),
    removeLeftover: ({ leftover, scope }) =>
      beating((beat) => remove(leftover, shiftOf(ways(), scope, beat))),
  };
}

/** A result of an activity has at most 2 MB; the next run finds the others. What may go comes first. */
function bounded({ looks, leftovers }: Looked): Looked {
  if (leftovers.length <= MOST) return { looks, leftovers };
  const sorted = leftovers.toSorted((a, b) => Number(b.verdict.remove) - Number(a.verdict.remove));
  return { looks, leftovers: sorted.slice(0, MOST) };
}

function shiftOf(ways: Ways, scope: Scope, beat: Beat): Shift {
  const { signal } = beat;
  return { ways, scope, say: (text) => beat.say({ text }), signal, now: Date.now };
}
