import { describe, expect, it } from 'vitest';
import { type Changes, limited, said, search } from './advice-support.ts';

/** What can be shown, and what a search looks at. [code, a spec that is told, the words it is told in, one that is not] */
const TABLE: readonly (readonly [code: string, fires: Changes, says: string, quiet: Changes])[] = [
  ['margin-out-of-reach', {}, 'raise smallestEffectOfInterest', { smallestEffectOfInterest: '15%' }],
  // Six blocks at a fixed rate give ± 5.4 %.
  ['margin-out-of-reach', limited, '± 5.4 %', { ...limited, smallestEffectOfInterest: '6%' }],
  ['margin-out-of-reach', {}, '± 11 %', { ...limited, design: { blocks: 8 } }],
  [
    'search-without-achieved',
    search({ from: '20k/s', to: '100k/s', pass: { p99: { max: '50ms' } } }),
    'Write achieved: { min: 99.5% }',
    search({ from: '20k/s', to: '100k/s', pass: { achieved: { min: '99%' }, p99: { max: '50ms' } } }),
  ],
  [
    'search-overrides-rate',
    { ...search({ from: '20k/s', to: '100k/s' }), producers: { p: { for: '30s', rate: '5k/s' } } },
    'Leave producers.p.rate out',
    search({ from: '20k/s', to: '100k/s' }),
  ],
];

describe('advice on what can be shown', () => {
  it.each(TABLE)('%s', (code, fires, says, quiet) => {
    expect(said(fires, code)).toContain(says);
    expect(said(quiet, code)).toBe('');
  });
});
