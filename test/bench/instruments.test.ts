import { expect, it } from 'vitest';
import { findingOf } from '../../bench/instruments.ts';

const load = (cpuMs: number) => ({ p99Ms: 100, avgMs: 10, recordsPerS: 4_000, cpuMs });
const pairs = (...cpuMs: readonly (readonly [number, number])[]) =>
  cpuMs.map(([first, second]) => ({ first: load(first), second: load(second) }));

const beside = (...cpu: readonly (readonly [number, number])[]) => ({
  pairs: cpu.map(([first, second]) => ({ first, second })),
  samples: cpu.length,
});

it('bounds the CPU with a sampler against that without in one load, by the whole interval', () => {
  const near = pairs([1_001, 1_000], [1_000, 1_001], [1_002, 1_000]);
  const far = pairs([1_100, 1_000], [1_101, 1_000]);
  const rest = { samplers: far, unthrottled: near, all: far };
  const good = findingOf('asked', { beside: beside([100.1, 100], [100, 100.1], [100.2, 100]), ...rest });
  expect(good.targets).toHaveLength(1);
  expect(good.targets[0]?.met).toBe(true);
  expect(good.targets[0]?.text).toMatch(/^samplers: .* 1\.001 \[.*\], n = 3 pairs$/);
  // What whole trials and all instruments cost is published all the same.
  expect(good.markdown).toContain('| all instruments | with | without | with ÷ without |');
  expect(good.markdown).toMatch(/1\.10 \(1\.10 to 1\.10\) \| 1\.00 \(1\.00 to 1\.00\) \| 1\.100 \[/);

  // The point is inside, the interval is not.
  const wide = findingOf('asked', { beside: beside([105, 100], [100, 105]), ...rest, samplers: near });
  expect(wide.targets[0]?.met).toBe(false);
});
