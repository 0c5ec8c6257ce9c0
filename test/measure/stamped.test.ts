import { expect, it } from 'vitest';
import { clockWatch, splitStamped } from '../../src/measure/stamped.ts';

it('splits wall, uptime and text; an empty text is a text', () => {
  expect(splitStamped('1796038829.500000 12.34 a b  c')).toEqual({
    wallMs: 1796038829500,
    uptimeMs: 12340,
    text: 'a b  c',
  });
  expect(splitStamped('1796038829.500000 12.34 ')?.text).toBe('');
  expect(splitStamped('1796038829,500000 12,34 x')?.wallMs).toBe(1796038829500);
});

it.each([
  '',
  'x',
  '1796038829.5 12.34 x',
  '829.500000 12.34 x y',
  '1796038829.500000 12.3',
  '1796038829.500000',
])('a torn stamp is no stamp: %s', (text) => expect(splitStamped(text)).toBeNull());

it('a wall clock that is set is a step; 30 ms of jitter are none; another boot is said', () => {
  const watch = clockWatch();
  watch.see({ wallMs: 1000, uptimeMs: 10 });
  watch.see({ wallMs: 2029, uptimeMs: 1010 });
  expect(watch.result()).toEqual({ steps: 0, largestStepMs: 0, rebooted: false });
  watch.see({ wallMs: 1029, uptimeMs: 2010 });
  expect(watch.result()).toMatchObject({ steps: 1, largestStepMs: -2000 });
  watch.see({ wallMs: 2029, uptimeMs: 10 });
  expect(watch.result().rebooted).toBe(true);
});
