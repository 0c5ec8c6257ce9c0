import { defineConfig } from 'vitest/config';

/** Kills and verdicts on real brokers: one file at a time, since an experiment measures a machine alone. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/kill/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    maxWorkers: 1,
    bail: 0,
  },
});
