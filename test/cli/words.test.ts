import { describe, expect, it } from 'vitest';
import { defaultWorkflowId } from '../../src/cli/start.ts';
import { bytesText, cutBytes, durationText, shellWord } from '../../src/cli/words.ts';

describe('words', () => {
  it.each([
    [400, '0 s'],
    [59_400, '59 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [3_599_000, '59 min'],
    [7_500_000, '2 h 5 min'],
    [-5, '0 s'],
  ])('duration of %d ms', (ms, text) => expect(durationText(ms)).toBe(text));

  it.each([
    [0, '0 B'],
    [1024, '1.0 KiB'],
    [13 * 1024 ** 3, '13 GiB'],
  ])('%d bytes', (bytes, text) => expect(bytesText(bytes)).toBe(text));

  it('quotes what a shell would not leave alone', () => {
    expect(shellWord('a-b_1.yaml')).toBe('a-b_1.yaml');
    expect(shellWord("it's $HOME")).toBe(`'it'\\''s $HOME'`);
    expect(shellWord('')).toBe("''");
  });

  it('cuts to bytes, never inside a character', () => {
    expect(cutBytes('kurz', 10)).toBe('kurz');
    const cut = cutBytes('ä'.repeat(100), 20);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(20);
    expect(cut).toBe(`${'ä'.repeat(8)}…`);
  });

  it('makes a workflow id of name and time', () => {
    expect(defaultWorkflowId('first look', new Date('2026-11-30T02:03:04.567Z'))).toBe(
      'first-look-20261130-020304',
    );
  });
});
