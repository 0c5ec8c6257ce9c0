import { z } from 'zod';
import { byteRate, duration, line, share, size, whole } from '../values.ts';

/** Decimal money: a number such as 5 or 2.50. */
const money = z
  .number({ error: 'Expected an amount of money, e.g. 5.' })
  .positive({ error: 'A budget is above 0.' })
  .max(1_000_000, { error: 'At most 1,000,000.' });

const deplete = z
  .strictObject({
    upper: byteRate().describe('the load must once have been above this,'),
    lower: byteRate().describe('and then fall below this'),
    limit: duration(1_000).prefault('1h').describe('the wait ends then; which of the two is recorded'),
  })
  .superRefine((given, context) => {
    if (given.upper > given.lower) return;
    context.addIssue({
      code: 'custom',
      path: ['upper'],
      message:
        'deplete.upper is not above deplete.lower: the gate would open at once. Credits are used up when a rate that was above upper has fallen below lower.',
      params: { code: 'contradiction' },
    });
  });

export const design = z.strictObject({
  blocks: whole(1, 200)
    .optional()
    .describe(
      'passes over all scenarios, each in an order of its own; left out = max(6, ⌈log₂(2m ÷ 0.05)⌉) for m contrasts',
    ),
  seed: z
    .union([z.string().min(1).max(100), whole(0, Number.MAX_SAFE_INTEGER)], {
      error: 'Expected auto, run, a text or a whole number.',
    })
    .default('auto')
    .describe('auto: from the hash of the resolved spec; run: a new order each time; or a text or number'),
  labs: whole(1, 20)
    .default(1)
    .describe('labs provisioned one after the other, each for an equal share of the blocks'),
  until: z
    .strictObject({
      halfWidth: share(1, 0.001).describe('half-width of every interval at which to stop'),
      max: whole(8, 200).default(20).describe('blocks at the most'),
    })
    .optional()
    .describe(
      'a stopping rule: blocks are added until every interval is narrow enough; looked at from the eighth block on',
    ),
  warmup: z
    .union(
      [
        z.literal('auto'),
        z.strictObject({
          passes: whole(1, 10).default(3).describe('passes of block 0 at the most'),
          agree: share(1)
            .prefault('10%')
            .describe(
              'two passes agree when the steady rate (records/s) of every scenario is within this share of the pass before, whatever the metric',
            ),
        }),
      ],
      { error: 'Expected auto, or { passes: 3, agree: 10% }.' },
    )
    .default('auto')
    .describe('block 0, before anything is measured; auto is { passes: 3, agree: 10% }'),
  deplete: deplete
    .optional()
    .describe('burst credits are used up before block 1 by the first scenario without its rate limit'),
  retries: whole(0, 10).default(2).describe('new attempts at a voided trial'),
  deadline: duration(60_000)
    .prefault('8h')
    .describe('of the whole experiment; it ends then with what it has'),
  budget: z
    .strictObject({
      written: size(1024 ** 2)
        .optional()
        .describe(
          "bytes written to the lab's disks, all copies, over the whole experiment; counts taken from block 0 are cut to stay below; left out = no limit",
        ),
      usd: money.optional().describe('money, in US dollars; a local lab costs none'),
    })
    .prefault({})
    .describe('what the experiment may use'),
});

const autoDuration = z.union([z.literal('auto'), duration()], {
  error: 'Expected auto, or a time such as 5s.',
});

export const window = z.strictObject({
  ramp: autoDuration
    .default('auto')
    .describe('cut from the start of each load; auto: one number for all, from block 0'),
  over: z
    .enum(['own', 'overlap'], { error: 'Expected own or overlap.' })
    .default('own')
    .describe(
      'own: each load over its own steady window; overlap: loads side by side over the time they share, at least 80 % of it',
    ),
  min: duration(1_000).prefault('10s').describe('a shorter steady window voids the trial'),
});

export const settle = z.strictObject({
  quiet: duration().prefault('5s').describe('how long the machines must be quiet before a load'),
  limit: duration()
    .prefault('60s')
    .describe('the wait ends then, quiet or not; which of the two is recorded'),
  method: z
    .enum(['wait', 'sync'], { error: 'Expected wait or sync.' })
    .default('wait')
    .describe('wait: watch until quiet; sync: write dirty pages to disk first. The same for all scenarios'),
  drain: duration().prefault('60s').describe('how long the drain after a load is watched at the most'),
  dirty: size(0).prefault('64MiB').describe("quiet means: Dirty + Writeback below the lab's base + this,"),
  deviceWrites: byteRate().prefault('1MiB/s').describe('and device writes below this'),
});

export const store = z.strictObject({
  folder: line(1_000)
    .nullable()
    .default(null)
    .describe("folder that results are kept in; left out = the home's results folder"),
  s3: z
    .string()
    .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[^\s]*)?$/, {
      error: 'Expected s3://bucket/prefix.',
    })
    .optional()
    .describe('kept in a bucket: s3://bucket/prefix'),
});

export const teardown = z
  .union(
    [
      z.literal('always'),
      z.strictObject({ keep: duration(60_000).describe('the lab stays up for so long after the report') }),
    ],
    {
      error: 'Expected always, or { keep: 2h }.',
    },
  )
  .default('always')
  .describe('always: the lab is taken down at the end; { keep: 2h }: after that time');
