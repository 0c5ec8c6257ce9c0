import { describe, expect, it } from 'vitest';
import { choosePinning, formatCores, NOT_PINNED, parseCores } from '../../../src/lab/local/pinning.ts';

describe('choosePinning', () => {
  it('gives brokers and clients different cores, and all of them', () => {
    expect(choosePinning([0, 1], true)).toEqual({ clients: '0', brokers: '1' });
    expect(choosePinning([0, 1, 2, 3, 4, 5, 6, 7], true)).toEqual({ clients: '0-2', brokers: '3-7' });
    expect(choosePinning([7, 2, 4], true)).toEqual({ clients: '2', brokers: '4,7' });
  });

  it('pins nothing on one core or when it is not wanted', () => {
    expect(choosePinning([0], true)).toBe(NOT_PINNED);
    expect(choosePinning([0, 1], false)).toBe(NOT_PINNED);
  });

  it('reads and writes core lists alike', () => {
    expect(parseCores('0-2,5,8-9')).toEqual([0, 1, 2, 5, 8, 9]);
    expect(formatCores([0, 1, 2, 5, 8, 9])).toBe('0-2,5,8-9');
  });
});
