import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idProblem } from '../../src/cli/workflow-id.ts';

describe('idProblem', () => {
  it.each(['codec', 'codec-2', 'a/b', 'nightly.2026-01-01', 'größe', 'a b', '7', 'x/b1/y'])(
    'takes %j',
    (id) => expect(idProblem(id, 20)).toBeNull(),
  );

  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['a\nb', 'U+000A'],
    ['a\u001b[2J', 'U+001B'],
    ['a\u202eb', 'U+202E'],
    ['\ud800', 'Unicode'],
    [' a', 'begins or ends with a space'],
    ['-x', 'begins with a dash'],
    ['--json', 'begins with a dash'],
    ['codec/b1/batch=4KiB/1', "form of a trial's id"],
    ['codec/b0.p2/batch=4KiB/1', "form of a trial's id"],
    ['x'.repeat(236), 'at most 235'],
  ])('refuses %j: %s', (id, why) => expect(idProblem(id, 20)).toContain(why));

  it('counts bytes, not characters, and never throws', () => {
    expect(idProblem('ä'.repeat(120), 20)).toContain('it has 240 bytes');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        const problem = idProblem(id, 20);
        return problem === null ? Buffer.byteLength(id) <= 235 : problem.length > 5;
      }),
    );
  });
});
