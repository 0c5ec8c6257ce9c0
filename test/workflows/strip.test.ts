import { describe, expect, it } from 'vitest';
import { Strip } from '../../workflows/strip.ts';

const trial = (block: number, scenario: string, attempt = 1, pass: number | null = null) => ({
  block,
  pass,
  scenario,
  attempt,
});
const states = (strip: Strip) => strip.view(6)?.cells.map((c) => `${c.scenario}${c.attempt} ${c.state}`);

describe('the strip of a block', () => {
  it('follows the trials, new attempts at its end', () => {
    const strip = new Strip();
    expect(strip.view(6)).toBeNull();
    strip.begin(2, null, ['a', 'b']);
    strip.mark(trial(2, 'a'), 'void');
    strip.add('a', 2);
    strip.mark(trial(2, 'b'), 'running');
    expect(states(strip)).toEqual(['a1 void', 'b1 running', 'a2 waiting']);
    expect(strip.waiting).toEqual(['a']);
    expect(strip.view(6)).toMatchObject({ block: 2, pass: null, of: 6 });
  });

  it('shows a pass in its middle, forgets nothing of the block, and comes back to it', () => {
    const strip = new Strip();
    strip.begin(2, null, ['a', 'b']);
    strip.mark(trial(2, 'a'), 'void');
    strip.aside(0, 101, ['a', 'b']);
    strip.mark(trial(0, 'a', 1, 101), 'valid');
    expect(states(strip)).toEqual(['a1 valid', 'b1 waiting']);
    expect(strip.waiting).toEqual(['b', 'b']);
    strip.back();
    expect(states(strip)).toEqual(['a1 void', 'b1 waiting']);
  });
});
