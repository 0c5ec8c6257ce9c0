import { describe, expect, it } from 'vitest';
import { stripLine } from '../../src/cli/strip-line.ts';
import type { BlockStrip } from '../../src/temporal/status.ts';

const strip: BlockStrip = {
  block: 2,
  pass: null,
  of: 6,
  cells: [
    { scenario: 'acks=1', attempt: 1, state: 'valid' },
    { scenario: 'baseline', attempt: 1, state: 'void' },
    { scenario: 'rf=1', attempt: 1, state: 'skipped' },
    { scenario: 'acks=0', attempt: 1, state: 'running' },
    { scenario: 'baseline', attempt: 2, state: 'waiting' },
  ],
};

describe('the strip of a block', () => {
  it('names every trial in its order, with its state', () => {
    expect(stripLine(strip, 120)).toBe(
      'block 2 of 6  ✓ acks=1  ✗ baseline  – rf=1  ▶ acks=0  · baseline (attempt 2)',
    );
  });

  it('falls back to signs, with the running one named, where the line is too short', () => {
    expect(stripLine(strip, 40)).toBe('block 2 of 6  ✓✗–▶·  acks=0');
  });

  it('says which pass of the warm-up it is', () => {
    expect(stripLine({ ...strip, block: 0, pass: 3, cells: [] }, 80)).toBe('warm-up pass 3');
  });
});
