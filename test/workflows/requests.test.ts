import { assert, constantFrom, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTROLS } from '../../src/temporal/controls.ts';
import { misshapen } from '../../workflows/requests.ts';

describe('the argument of a control', () => {
  it.each([
    ['pause', {}],
    ['pause', { limit: 86_400_000, reason: 'x' }],
    ['resume', {}],
    ['skip', { next: true }],
    ['skip', { scenario: 'acks=1', reason: '' }],
    ['finish-early', { reason: 'enough' }],
    ['extend', { blocks: 50 }],
    ['abort', { reason: 'x' }],
  ] as const)('%s %j is fine', (control, request) => {
    expect(misshapen(control, request)).toBeNull();
  });

  it.each([
    ['pause', { limit: 0 }, /limit must be a whole number of milliseconds/],
    ['pause', { limit: 1.5 }, /not 1.5/],
    ['pause', { limit: 86_400_001 }, /at most 86400000 \(24 h\)/],
    ['pause', 'soon', /takes an object/],
    ['pause', null, /takes an object/],
    ['pause', [1], /takes an object/],
    ['resume', { for: 1 }, /does not know "for", only reason/],
    ['skip', {}, /either a scenario/],
    ['skip', { next: true, scenario: 'a' }, /either a scenario/],
    ['skip', { next: false }, /next must be true/],
    ['extend', {}, /blocks is missing: a whole number of blocks from 1 to 50/],
    ['extend', { blocks: '2' }, /not "2"/],
    ['abort', { reason: 'x'.repeat(501) }, /at most 500 characters/],
    ['abort', { toString: 1, reason: 2 }, /does not know "toString".*; reason must be a text/],
  ] as const)('%s %j is refused with what is needed', (control, request, says) => {
    expect(misshapen(control, request)).toMatch(says);
  });

  it('never throws, whatever was typed, and says one plain sentence', () => {
    assert(
      property(constantFrom(...CONTROLS), jsonValue(), (control, request) => {
        const problem = misshapen(control, request);
        expect(problem === null || problem.endsWith('.')).toBe(true);
      }),
    );
  });
});
