import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laidOver, type Layer, placedIn } from '../../src/spec/layers.ts';

const layer = (json: unknown, name = 'x'): Layer => ({
  json,
  find: (path) => {
    let here: unknown = json;
    let depth = 0;
    for (const key of path) {
      if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) break;
      here = (here as Record<string | number, unknown>)[key];
      depth += 1;
    }
    return { depth, position: { file: name, line: 1, column: 1, excerpt: '' } };
  },
});
const over = (...jsons: unknown[]) => laidOver(jsons.map((json) => layer(json)));
const map = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.oneof(
    fc.integer(),
    fc.constant(null),
    fc.array(fc.integer(), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), fc.integer()),
  ),
);

describe('laying over', () => {
  it('merges maps, replaces everything else, and takes out with null', () => {
    expect(over({ a: { x: 1, y: 2 }, b: [1, 2] }, { a: { y: 3, z: 4 }, b: [9] })).toEqual({
      a: { x: 1, y: 3, z: 4 },
      b: [9],
    });
    expect(over({ a: { x: 1, y: 2 }, b: 1 }, { a: { x: null }, b: null })).toEqual({ a: { y: 2 } });
    expect(over({ a: 1 }, { a: { x: 1 } })).toEqual({ a: { x: 1 } });
  });

  it('keeps a null that has nothing to take out, as the levels of a factor need it', () => {
    expect(over({}, { a: { b: null } })).toEqual({ a: { b: null } });
  });

  it('keeps the order of what is below: the first level stays the baseline', () => {
    expect(Object.keys(over({ b: 1, a: 1 }, { c: 1, a: 2, b: 2 }) as object)).toEqual(['b', 'a', 'c']);
  });

  it('of nothing, or over nothing, changes nothing; what is said last is there', () => {
    fc.assert(
      fc.property(map, map, (below, above) => {
        expect(over(below, {})).toEqual(below);
        expect(over({}, above)).toEqual(above);
        const made = over(below, above) as Record<string, unknown>;
        for (const [key, value] of Object.entries(above)) {
          if (value === null && Object.hasOwn(below, key)) expect(made).not.toHaveProperty(key);
          else if (typeof value !== 'object' || Array.isArray(value)) expect(made[key]).toEqual(value);
        }
      }),
    );
  });
});

describe('places', () => {
  const main = layer({ name: 'x', settle: { quiet: 5 } }, 'main');
  const fragment = layer({ settle: { quiet: 1, limit: 2 }, window: { min: 1 } }, 'fragment');
  const fileOf = (path: string[], orAt?: string[][]) =>
    placedIn([fragment, main], main, [
      { code: 'wrong-value', at: 'value', path, message: '', ...(orAt ? { orAt } : {}) },
    ])[0]?.position?.file;

  it('are where the value that counts is written', () => {
    expect(fileOf(['settle', 'quiet'])).toBe('main');
    expect(fileOf(['settle', 'limit'])).toBe('fragment');
    expect(fileOf(['settle', 'drain'])).toBe('main');
    expect(fileOf(['producers', 'p', 'for'], [['window', 'min']])).toBe('fragment');
  });

  it('are the spec itself for what is missing', () => {
    expect(fileOf([])).toBe('main');
    expect(fileOf(['producers'])).toBe('main');
  });
});
