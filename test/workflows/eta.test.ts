import { describe, expect, it } from 'vitest';
import { type ScenarioTimes, timeAheadMs, withTrial } from '../../workflows/eta.ts';

const trial = (block: number, pass: number | null, scenario: string) => ({ block, pass, scenario });

function after(...ran: [ReturnType<typeof trial>, number][]): ScenarioTimes {
  return ran.reduce<ScenarioTimes>((times, [t, ms]) => withTrial(times, t, ms), {});
}

describe('the time ahead', () => {
  it('is unknown before any trial of full length: the pilot tells nothing', () => {
    expect(timeAheadMs({}, ['a'], null, 0)).toBeNull();
    expect(after([trial(0, 1, 'a'), 1_000])).toEqual({});
  });

  it('comes from the warm-up until a measured trial of the scenario has run, then from the mean of those', () => {
    const warm = after([trial(0, 2, 'a'), 10_000], [trial(0, 3, 'a'), 8_000]);
    expect(timeAheadMs(warm, ['a', 'a'], null, 0)).toBe(16_000);
    const measured = after(
      [trial(0, 3, 'a'), 8_000],
      [trial(1, null, 'a'), 20_000],
      [trial(2, null, 'a'), 30_000],
      // A repaired lab is warmed up again: that says nothing new.
      [trial(0, 101, 'a'), 1_000],
    );
    expect(timeAheadMs(measured, ['a'], null, 0)).toBe(25_000);
  });

  it('counts each scenario with its own length, an unknown one with the mean of the others', () => {
    const times = after([trial(1, null, 'short'), 10_000], [trial(1, null, 'long'), 50_000]);
    expect(timeAheadMs(times, ['short', 'long', 'new'], null, 0)).toBe(90_000);
  });

  it('takes what has passed off the trial that runs, and never below nothing', () => {
    const times = after([trial(1, null, 'a'), 10_000]);
    expect(timeAheadMs(times, [], { scenario: 'a', sinceMs: 1_000 }, 4_000)).toBe(7_000);
    expect(timeAheadMs(times, ['a'], { scenario: 'a', sinceMs: 0 }, 60_000)).toBe(10_000);
  });
});
