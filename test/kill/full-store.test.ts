import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { labBench, type LabBench } from './support/lab-bench.ts';

let mount: string;
let lab: LabBench;

beforeAll(async () => {
  mount = mkdtempSync(join(tmpdir(), 'assay-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96k', 'tmpfs', mount]);
  lab = await labBench({
    assay: 1,
    name: 'full',
    question: 'What becomes of results that the store cannot take?',
    lab: { brokers: { heap: '384MiB' }, clients: { heap: '256MiB' } },
    payload: { json: { lines: 500, size: '512B', padding: '0%' } },
    topics: { main: { partitions: 3, replication: 3 } },
    producers: { p: { topic: 'main', records: 8000, rate: '1k/s', config: { acks: 'all' } } },
    factors: { batch: { set: 'producers.p.config.batch.size', levels: ['16KiB', '64KiB'] } },
    design: { blocks: 1 },
    window: { ramp: '1s', min: '2s' },
    settle: { method: 'sync', quiet: '1s', drain: '1s' },
    store: { folder: mount },
  });
});
afterAll(async () => {
  expect(await lab?.close()).toEqual([]);
  execFileSync('umount', [mount]);
  rmSync(mount, { recursive: true, force: true });
});

describe('a store that is full in mid experiment', () => {
  it('loses nothing: what it cannot take lies in the second place, whole and valid', async () => {
    const records = [
      await lab.trial('batch=16KiB', { records: 8000 }),
      await lab.trial('batch=64KiB', { records: 8000 }),
    ];
    for (const record of records) {
      expect(record.verdict.reasons).toEqual([]);
      for (const file of record.raw) {
        const bytes = await lab.bench.store.get(`trials/${record.id}/${file.path}`);
        expect(bytes.length).toBe(file.bytes);
      }
    }
    expect((await lab.bench.store.displaced()).length).toBeGreaterThan(0);
    // What the first place has is complete as well: nothing is half-written there.
    const first = createFolderStore(lab.bench.store.location);
    for (const path of await first.list('')) await first.get(path);
  });
});
