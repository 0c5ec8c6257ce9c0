import { describe, expect, it } from 'vitest';
import { cronProblems } from '../../src/spec/cron.ts';
import { zoneProblem } from '../../src/spec/time-zone.ts';

describe('a cron line', () => {
  it.each([
    '30 2 * * *',
    '0 0 1 1 0',
    '59 23 31 12 7',
    '*/15 8-18/2 1,15 jan-mar MON-fri',
    '0 2 * * sun',
    '0 2 * * * 2027',
    '0 0 2 * * * *',
    '@daily',
  ])('%s is right', (line) => {
    expect(cronProblems(line)).toEqual([]);
  });

  it.each([
    ['60 2 * * *', 'minute "60": 60 is not from 0 to 59.'],
    ['0 24 * * *', 'hour "24": 24 is not from 0 to 23.'],
    ['0 2 0 * *', 'day of month "0": 0 is not from 1 to 31.'],
    ['0 2 * 13 *', 'month "13": 13 is not from 1 to 12.'],
    ['0 2 * * 8', 'day of week "8": 8 is not from 0 to 7.'],
    ['0 2 * * mon-xyz', 'day of week "mon-xyz": expected *, numbers from 0 to 7 or names such as sun'],
    ['0 2 * jam *', 'month "jam": expected *, numbers from 1 to 12 or names such as jan'],
    ['*/0 2 * * *', 'minute "*/0": a step is a whole number from 1 to 59.'],
    ['30-10 2 * * *', 'minute "30-10": a range goes upwards; write 10-30'],
    ['1,,2 2 * * *', 'minute "1,,2": expected *'],
    ['0 2 * *', 'Expected five fields: minute, hour, day of month, month, day of week'],
    ['@nightly', 'write @hourly'],
  ])('%s is told what is wrong', (line, says) => {
    expect(cronProblems(line).join('\n')).toContain(says);
  });

  it('is told of every field that is wrong', () => {
    expect(cronProblems('60 24 32 13 8')).toHaveLength(5);
  });
});

describe('a time zone', () => {
  it.each(['Europe/Berlin', 'UTC', 'Asia/Seoul', 'Asia/Calcutta', 'Asia/Kolkata', 'America/New_York'])(
    '%s is known',
    (zone) => {
      expect(zoneProblem(zone)).toBeNull();
    },
  );

  it.each([
    ['europe/berlin', 'Time zones are written as they are: Europe/Berlin.'],
    ['Europe/Berln', 'Did you mean "Europe/Berlin"?'],
    ['Mars/Base', 'There is no time zone "Mars/Base".'],
    ['+01:00', 'Write e.g. Europe/Berlin or UTC.'],
  ])('%s is none', (zone, says) => {
    expect(zoneProblem(zone)).toContain(says);
  });
});
