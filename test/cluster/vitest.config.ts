import { defineConfig } from 'vitest/config';

const root = new URL('../..', import.meta.url).pathname;
const globalSetup = 'test/cluster/support/cloud-setup.ts';
const shared = {
  root,
  globalSetup,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  fileParallelism: false,
  maxWorkers: 1,
};

/** Against the cluster that with-cluster.sh started: the core that CI runs, and the cases that only `:all` runs. */
export default defineConfig({
  test: {
    maxWorkers: 1,
    projects: [
      {
        test: {
          ...shared,
          name: 'core',
          include: ['test/cluster/**/*.test.ts'],
          exclude: ['test/cluster/cases/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'cases',
          include: ['test/cluster/cases/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
