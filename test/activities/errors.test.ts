import { ApplicationFailure } from '@temporalio/activity';
import { describe, expect, it } from 'vitest';
import { translate } from '../../activities/errors.ts';
import { CapsuleError, type CapsuleErrorCode } from '../../src/lab/capsule/capsule-error.ts';
import { ClusterError, type ClusterErrorCode } from '../../src/lab/kubernetes/api/cluster-error.ts';

const told = (error: Error): [string | null | undefined, boolean] => {
  const failure = translate(error);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure.message).toBe(error.message);
  const { type, nonRetryable } = failure as ApplicationFailure;
  return [type, nonRetryable !== true];
};

describe('what a cluster refuses', () => {
  it.each<[ClusterErrorCode, string, boolean]>([
    ['unreachable', 'Infrastructure', true],
    ['expired-credentials', 'Infrastructure', true],
    ['other', 'Infrastructure', true],
    ['forbidden', 'Infrastructure', false],
    ['foreign', 'Infrastructure', false],
    ['invalid', 'Infrastructure', false],
    ['quota', 'quota', false],
    ['not-found', 'host-gone', false],
    ['conflict', 'host-replaced', false],
  ])('%s is %s; tried again: %s', (code, type, retried) => {
    expect(told(new ClusterError(code, 'get Pod bench/kafka-0', 'so it is.'))).toEqual([type, retried]);
  });
});

describe('what a host refuses', () => {
  it.each<[CapsuleErrorCode, string, boolean]>([
    ['gone', 'host-gone', false],
    ['identity', 'host-replaced', false],
    ['transport', 'Infrastructure', true],
    ['not-claimed', 'Infrastructure', true],
    ['alive', 'Infrastructure', true],
    ['bash', 'Infrastructure', false],
    ['disk-full', 'disk-full', true],
    ['no-file', 'capsule-lost', false],
    ['invalid', 'bug', false],
    ['pattern', 'bug', false],
    ['nested', 'bug', false],
  ])('%s is %s; tried again: %s', (code, type, retried) => {
    expect(told(new CapsuleError(code, 'c1: so it is.'))).toEqual([type, retried]);
  });
});
