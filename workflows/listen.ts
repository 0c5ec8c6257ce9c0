import { type CancellationScope, defineQuery, defineUpdate, setHandler } from '@temporalio/workflow';
import { type Control, CONTROLS } from '../src/temporal/controls.ts';
import { type ExperimentStatus, STATUS_QUERY } from '../src/temporal/status.ts';
import { Answers } from './answers.ts';
import type { Controls } from './controls.ts';
import type { Logbook } from './logbook.ts';
import { misshapen } from './requests.ts';

const statusQuery = defineQuery<ExperimentStatus>(STATUS_QUERY);

/** What was asked for, if an abort was. */
export interface Aborted {
  reason: string | null;
}

/**
 * Registers the query `status` and every control as an update whose validator refuses in one plain sentence. Must be
 * called when log and controls are complete: a buffered update is validated at once.
 */
export function listen(log: Logbook, controls: Controls, abortable: CancellationScope): Aborted {
  const aborted: Aborted = { reason: null };
  setHandler(statusQuery, () => log.status(controls, Date.now()));
  const answers = new Answers(log, controls, (reason) => {
    aborted.reason = reason;
    abortable.cancel();
  });
  for (const control of CONTROLS) register(control, answers, () => log.refresh());
  return aborted;
}

/** Requests come from outside: their types are true only once `misshapen` has found nothing. */
function register(control: Control, answers: Answers, done: () => void): void {
  const { refuse, accept } = answers.of(control);
  setHandler(
    defineUpdate<string, [object?]>(control),
    (request = {}) => {
      const answer = accept(request);
      // An abort goes on to say more itself.
      if (control !== 'abort') done();
      return answer;
    },
    {
      validator: (request = {}) => {
        const problem = misshapen(control, request) ?? refuse(request);
        if (problem !== null) throw new Error(problem);
      },
    },
  );
}
