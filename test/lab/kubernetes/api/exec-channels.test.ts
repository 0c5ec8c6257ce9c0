import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExecChannels, readStatus } from '../../../../src/lab/kubernetes/api/exec-channels.ts';

const failure = (message: string): string =>
  JSON.stringify({ status: 'Failure', reason: 'InternalError', message });

describe('the status of a command', () => {
  it.each([
    ['{"status":"Success"}', 0],
    ['{"status":"Failure","details":{"causes":[{"reason":"ExitCode","message":"2"}]}}', 2],
    ['{"status":"Failure","details":{"causes":[{"reason":"X"},{"reason":"ExitCode","message":"137"}]}}', 137],
  ])('%s is exit %i', (text, code) => {
    expect(readStatus(text)).toEqual({ kind: 'exit', code });
  });

  it.each([
    ['{"status":"Failure","details":{"causes":[{"reason":"ExitCode","message":""}]}}', 'maybe', 'other'],
    ['{"status":"Failure","details":{"causes":[{"reason":"ExitCode","message":"two"}]}}', 'maybe', 'other'],
    ['{}', 'maybe', 'other'],
    ['half a { status', 'maybe', 'other'],
    [failure('Internal error occurred: error sending request'), 'maybe', 'other'],
    [failure('unable to upgrade connection: container not found ("kafka")'), 'no', 'not-found'],
    [
      failure('error dialing backend: dial tcp 10.0.0.1:10250: connect: connection refused'),
      'no',
      'unreachable',
    ],
    [failure('OCI runtime exec failed: exec: "nope": executable file not found in $PATH'), 'no', 'other'],
  ])('%s is no exit (started: %s, %s)', (text, started, code) => {
    expect(readStatus(text)).toMatchObject({ kind: 'failed', started, code });
  });
});

describe('messages', () => {
  it('give the bytes of stdout however they were cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 }), (parts) => {
        const channels = new ExecChannels(1 << 20);
        for (const part of parts) channels.take(Buffer.concat([Buffer.from([1]), part]));
        expect(channels.stdout()).toEqual(Buffer.concat(parts));
      }),
    );
  });

  it('never throw, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (messages) => {
        const channels = new ExecChannels(1 << 20);
        for (const message of messages) channels.take(Buffer.from(message));
      }),
    );
  });

  it('keep no more of stderr than its head', () => {
    const channels = new ExecChannels(1 << 20);
    const line = Buffer.concat([Buffer.from([2]), Buffer.alloc(50_000, 'x')]);
    for (let i = 0; i < 10; i++) expect(channels.take(line)).toBe(true);
    expect(channels.stderr().length).toBe(64 * 1024);
  });
});
