import { describe, expect, it } from 'vitest';
import { type Changes, limited, said, search } from './advice-support.ts';

const replay = (fill: Changes): Changes => ({
  topics: { live: {}, archive: { fill } },
  producers: { p: { topic: 'live', for: '30s' } },
  consumers: { c: { topic: 'archive' } },
  window: { over: 'overlap' },
});

/** What can be shown, and what a search looks at. [code, a spec that is told, the words it is told in, one that is not] */
const TABLE: readonly (readonly [code: string, fires: Changes, says: string, quiet: Changes])[] = [
  ['margin-out-of-reach', {}, 'raise smallestEffectOfInterest', { smallestEffectOfInterest: '15%' }],
  // Six blocks at a fixed rate give ± 5.4 %.
  [
    'margin-out-of-reach',
    { ...limited, metric: 'p99' },
    '± 5.4 %',
    { ...limited, metric: 'p99', smallestEffectOfInterest: '6%' },
  ],
  [
    'margin-out-of-reach',
    { ...limited, metric: 'p99' },
    'Below 20 ms one whole ms of the tool is more than the margin',
    limited,
  ],
  [
    'rate-is-fixed',
    { ...limited, metric: 'achieved' },
    'achieved can only say whether it was kept. Write metric: p99',
    {
      ...limited,
      metric: 'achieved',
      factors: { speed: { set: 'producers.p.rate', levels: ['5k/s', '9k/s'] } },
    },
  ],
  [
    'expectation-out-of-reach',
    { ...limited, expect: [{ metric: 'p99', of: '64KiB', min: '50ms', max: '52ms' }] },
    'give intervals of ± 5.4 %',
    { ...limited, expect: [{ metric: 'achieved', of: '64KiB', min: '99%', max: '100%' }] },
  ],
  ['unused-factor', { scenarios: [{ batch: '4KiB' }] }, 'same level', { only: ['baseline'] }],
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
  [
    'deadline-may-be-short',
    { design: { deadline: '30m' } },
    'design.deadline: 1h',
    { design: { deadline: '2h' } },
  ],
  [
    'whole-ms',
    search({ from: '20k/s', to: '100k/s', pass: { p99: { max: '50ms' } } }),
    'one step is 25 %',
    search({ from: '20k/s', to: '100k/s' }),
  ],
  ['whole-ms', { ...limited, metric: 'p99' }, 'one step is 25 %', limited],
  [
    'expect-rate-is-fixed',
    { ...limited, expect: [{ of: '64KiB', min: '4k/s' }] },
    'expect.0 speaks of the rate of 64KiB',
    { expect: [{ of: '64KiB', min: '4k/s' }] },
  ],
  [
    'fill-each-attempt',
    replay({ records: '30M' }),
    'topics.archive.fill.each: experiment',
    replay({ records: '30M', each: 'experiment' }),
  ],
  [
    // 2 GiB in 80 % of 30 s.
    'fill-read-too-soon',
    replay({ bytes: '2GiB', each: 'experiment' }),
    'faster than 85.3 MiB/s it ends before 80 %',
    replay({ bytes: '20GiB', each: 'experiment' }),
  ],
  [
    'confounded',
    {
      factors: {
        acks: { set: 'producers.*.config.acks', levels: ['all', 1] },
        batch: { set: 'producers.*.config.batch.size', levels: ['4KiB', '64KiB'] },
      },
      producers: { p: { for: '30s', config: { 'enable.idempotence': false } } },
      scenarios: [{ cross: ['acks', 'batch'] }],
      contrasts: [['baseline', 'acks=1,batch=64KiB']],
    },
    '["acks=all,batch=64KiB", "acks=all,batch=4KiB"]',
    {},
  ],
];

it('advises an even number of blocks for two scenarios', () => {
  const two = { ...limited, metric: 'p99' };
  expect(said(two, 'margin-out-of-reach')).toContain('That takes about 8 blocks');
  expect(said({ ...two, design: { blocks: 8 } }, 'odd-blocks')).toBe('');
});

describe('advice on what can be shown', () => {
  it.each(TABLE)('%s', (code, fires, says, quiet) => {
    expect(said(fires, code)).toContain(says);
    expect(said(quiet, code)).toBe('');
  });
});
