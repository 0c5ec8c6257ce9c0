import { defineConfig } from 'vitest/config';

const root = new URL('..', import.meta.url).pathname;
const shared = { root, testTimeout: 60_000, hookTimeout: 120_000 };

/** The rooms side by side; what needs an emulated AWS; then, alone on the machine, what needs real brokers. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'rooms',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/aws/**',
            'test/cluster/**',
            'test/kill/**',
            'test/smoke/**',
            'test/e2e/**',
            'test/**/*.integration.test.ts',
          ],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'aws',
          include: ['test/aws/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'brokers',
          include: ['test/e2e/**/*.test.ts', 'test/**/*.integration.test.ts'],
          sequence: { groupOrder: 2 },
          fileParallelism: false,
        },
      },
    ],
  },
});
