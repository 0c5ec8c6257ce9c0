import type { Plan } from '../../design/plan.ts';
import { quietConfigOf, quietFollows } from '../../measure/derive-quiet.ts';
import { readSamples } from '../../measure/sample.ts';
import type { AttemptEvidence, RawAttempt } from '../../measure/trial-evidence.ts';
import type { SettleOutcome } from '../../measure/trial-record.ts';
import { EVIDENCE } from '../../store/attempt-files.ts';
import type { Compared, Difference } from './compare.ts';

/**
 * Settle and drain again: the samples of some machine must give the outcome, the time and the whole curve.
 *
 * @param baseDirtyBytes of the quiet machine; null = not recorded: nothing is derived.
 */
export function quietAgain(
  plan: Plan,
  baseDirtyBytes: number | null,
  folder: string,
  attempt: AttemptEvidence,
  raw: RawAttempt,
): Compared {
  const machines = attempt.machines.map(({ samples }) => {
    const bytes = samples === null ? undefined : raw.samples[samples];
    return readSamples(bytes === undefined ? '' : new TextDecoder().decode(bytes));
  });
  const phases = [
    ['settle', 'settled'],
    ['drain', 'drained'],
  ] as const;
  let numbers = 0;
  const differences: Difference[] = [];
  for (const [phase, key] of phases) {
    const outcome = attempt.seen[key];
    if (outcome === null || baseDirtyBytes === null || machines.length === 0) continue;
    numbers += numbersIn(outcome);
    const follows = machines.some((samples) => {
      const deviceKnown = samples.header?.device != null;
      return quietFollows(
        samples,
        quietConfigOf(plan.settle, phase, { baseDirtyBytes, deviceKnown }),
        outcome,
      );
    });
    if (follows) continue;
    const stored = `${outcome.outcome} after ${outcome.tookMs} ms, ${outcome.curve.length} points`;
    const derived = 'something else, wherever in the samples it began';
    differences.push({ path: `${folder}/${EVIDENCE}`, where: `seen.${key}`, stored, derived });
  }
  return { numbers, differences };
}

function numbersIn(outcome: SettleOutcome): number {
  const rates = outcome.curve.filter((point) => point.deviceWriteBytesPerS !== null).length;
  return 2 + 2 * outcome.curve.length + rates;
}
