import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/cli/exit-codes.ts';
import { failedOutcome } from '../../src/cli/outcome.ts';
import type { ExperimentResult } from '../../src/temporal/status.ts';

const result = (changes: Partial<ExperimentResult>): ExperimentResult => ({
  format: 1,
  key: 'k',
  outcome: 'completed',
  decided: true,
  resultsFolder: null,
  message: '',
  leaks: [],
  valid: 1,
  voided: 0,
  ...changes,
});

describe('exitCodeOf', () => {
  it.each([
    ['completed and decided', {}, 0],
    ['completed, not decided', { decided: false }, 4],
    ['an expectation failed', { expectations: { passed: 1, failed: 1, inconclusive: 0 } }, 3],
    [
      'one failed and one stays inconclusive: the failure is known',
      { decided: false, expectations: { passed: 0, failed: 1, inconclusive: 1 } },
      3,
    ],
    [
      'an expectation stays inconclusive',
      { decided: false, expectations: { passed: 1, failed: 0, inconclusive: 1 } },
      4,
    ],
    ['all expectations passed', { expectations: { passed: 2, failed: 0, inconclusive: 0 } }, 0],
    [
      'a failed expectation of an aborted experiment',
      { outcome: 'aborted' as const, expectations: { passed: 0, failed: 1, inconclusive: 0 } },
      6,
    ],
    ['failed', { outcome: 'failed' as const }, 5],
    ['aborted', { outcome: 'aborted' as const, decided: false }, 6],
    ['with leaks', { outcome: 'completed-with-leaks' as const }, 5],
    ['aborted with leaks: the leak weighs more', { outcome: 'aborted' as const, leaks: ['pid 1'] }, 5],
  ])('%s', (_, changes, code) => expect(exitCodeOf(result(changes))).toBe(code));
});

describe('failedOutcome', () => {
  it.each([
    ['an invalid spec', { name: 'ApplicationFailure', type: 'InvalidSpec', message: 'a' }, 2],
    ['missing infrastructure', { name: 'ApplicationFailure', type: 'InfrastructureError', message: 'a' }, 5],
    ['what the lab stands on', { name: 'ApplicationFailure', type: 'Infrastructure', message: 'a' }, 5],
    ['a host that is gone', { name: 'ApplicationFailure', type: 'HostGone', message: 'a' }, 5],
    ['a full disk', { name: 'ApplicationFailure', type: 'disk-full', message: 'a' }, 5],
    ['our own mistake', { name: 'ApplicationFailure', type: 'bug', message: 'a' }, 1],
    ['a timeout', { name: 'TimeoutFailure', message: 'a' }, 5],
    ['a cancellation', { name: 'CancelledFailure', message: 'a' }, 6],
    ['a termination', { name: 'TerminatedFailure', message: 'a' }, 6],
    ['anything else', { name: 'ApplicationFailure', type: 'TypeError', message: 'a' }, 1],
    ['nothing at all', undefined, 1],
  ])('%s', (_, cause, code) => expect(failedOutcome(cause).exitCode).toBe(code));

  it('tells the innermost reason of a wrapped failure', () => {
    const cause = {
      name: 'ActivityFailure',
      message: 'Activity failed',
      cause: { message: 'port 9092 is taken' },
    };
    expect(failedOutcome(cause)).toMatchObject({ message: expect.stringContaining('port 9092 is taken') });
  });

  it('names what is left of the lab of an experiment that failed: leaks weigh more than whose mistake it was', () => {
    const details = [{ leaks: ['Pod bench/kafka-0: it was not deleted'] }];
    const failed = failedOutcome({ name: 'ApplicationFailure', type: 'bug', message: 'a', details });
    expect(failed).toMatchObject({
      exitCode: 5,
      message: 'The experiment failed: a\nLeft behind:\n  - Pod bench/kafka-0: it was not deleted',
    });
  });

  it('reads the class of a failure that an activity threw', () => {
    const cause = {
      name: 'ActivityFailure',
      message: 'Activity task failed',
      cause: { name: 'ApplicationFailure', type: 'InvalidSpec', message: 'name is missing' },
    };
    expect(failedOutcome(cause).exitCode).toBe(2);
  });
});
