import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { workflowBundle } from '../workflows/bundle.ts';

const HISTORIES = new URL('./histories/', import.meta.url).pathname;

/**
 * Histories that were recorded on real experiments by `npm run history`. A change to a workflow that cannot replay
 * them would break experiments that run while it is deployed.
 */
describe('stored histories replay', () => {
  const files = readdirSync(HISTORIES).filter((name) => name.endsWith('.json'));

  it('there is one of an experiment and one of a trial at least', () => {
    expect(files.some((name) => name.includes('experiment'))).toBe(true);
    expect(files.some((name) => name.includes('trial'))).toBe(true);
  });

  it.each(files)('%s', async (name) => {
    const json: unknown = JSON.parse(readFileSync(join(HISTORIES, name), 'utf8'));
    const workflowId = readFileSync(join(HISTORIES, name.replace(/\.json$/, '.id')), 'utf8').trim();
    await Worker.runReplayHistory(
      { workflowBundle: await workflowBundle() },
      historyFromJSON(json),
      workflowId,
    );
  });
});
