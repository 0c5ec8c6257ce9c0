import { defineConfig } from 'vitest/config';

/** Every spec of test/specs as a rehearsal on real brokers: one after the other, since a machine has one lab at a time. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/smoke/**/*.test.ts'],
    testTimeout: 420_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    maxWorkers: 1,
    bail: 0,
  },
});
