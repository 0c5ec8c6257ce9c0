import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.ts';
import { metricsActivities } from '../../activities/metrics.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { benchOf, REF } from './bench-support.ts';

it('an experiment whose lab was refused has no metrics to wait for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-metrics-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const bench = benchOf(
    {},
    { plan: { lab: { kubernetes: { region: 'eu-west-1' } } }, store: createFolderStore(folder) },
  );
  const deps = {
    benches: { open: async () => Promise.resolve(bench), close: async () => Promise.resolve() },
  } as unknown as ActivityDeps;
  const read = new MockActivityEnvironment().run(async () => metricsActivities(deps).readMetrics(REF));
  await expect(read).resolves.toEqual({ message: 'CloudWatch was not read: there was no trial' });
});
