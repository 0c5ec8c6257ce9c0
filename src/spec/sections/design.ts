import { z } from 'zod';
import { byteRate, duration, line, share, size, whole } from '../values.ts';

/** Decimal money: a number such as 5 or 2.50. */
const money = z
  .number({ error: 'Expected an amount of money, e.g. 5.' })
  .positive({ error: 'A budget is above 0.' })
  .max(1_000_000, { error: 'At most 1,000,000.' });

const deplete = z
  .strictObject({
    /** The load must once have been above `upper`, and then fall below `lower`. */
    upper: byteRate(),
    lower: byteRate(),
    limit: duration(1_000).prefault('1h'),
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
  blocks: whole(1, 200).optional(),
  seed: z
    .union([z.string().min(1).max(100), whole(0, Number.MAX_SAFE_INTEGER)], {
      error: 'Expected auto, run, a text or a whole number.',
    })
    .default('auto'),
  /** Labs provisioned one after the other, each for an equal share of the blocks. */
  labs: whole(1, 20).default(1),
  /** Stop when every interval is as narrow as this; looked at after each block from the eighth on. */
  until: z.strictObject({ halfWidth: share(1), max: whole(8, 200).default(20) }).optional(),
  warmup: z
    .union(
      [
        z.literal('auto'),
        z.strictObject({ passes: whole(1, 10).default(3), agree: share(1).prefault('10%') }),
      ],
      { error: 'Expected auto, or { passes: 3, agree: 10% }.' },
    )
    .default('auto'),
  /** Burst credits are used up before block 1. */
  deplete: deplete.optional(),
  retries: whole(0, 10).default(2),
  deadline: duration(60_000).prefault('8h'),
  budget: z.strictObject({ written: size(1024 ** 2).optional(), usd: money.optional() }).prefault({}),
});

const autoDuration = z.union([z.literal('auto'), duration()], {
  error: 'Expected auto, or a time such as 5s.',
});

export const window = z.strictObject({
  ramp: autoDuration.default('auto'),
  over: z.enum(['own', 'overlap'], { error: 'Expected own or overlap.' }).default('own'),
  min: duration(1_000).prefault('10s'),
});

export const settle = z.strictObject({
  quiet: duration().prefault('5s'),
  limit: duration().prefault('60s'),
  method: z.enum(['wait', 'sync'], { error: 'Expected wait or sync.' }).default('wait'),
  drain: duration().prefault('60s'),
  /** Quiet = Dirty + Writeback below the lab's base + this. */
  dirty: size(0).prefault('64MiB'),
  deviceWrites: byteRate().prefault('1MiB/s'),
});

export const store = z.strictObject({
  folder: line(1_000).nullable().default(null),
  s3: z
    .string()
    .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[^\s]*)?$/, {
      error: 'Expected s3://bucket/prefix.',
    })
    .optional(),
});

export const teardown = z
  .union([z.literal('always'), z.strictObject({ keep: duration(60_000) })], {
    error: 'Expected always, or { keep: 2h }.',
  })
  .default('always');
