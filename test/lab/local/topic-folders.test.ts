import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { foldersOfTopics, topicFolders } from '../../../src/lab/local/topic-layout.ts';

const node = mkdtempSync(join(tmpdir(), 'assay-folders-'));
afterEach(() => rmSync(node, { recursive: true, force: true }));

const ID = '0123456789abcdef0123456789abcdef';
const names = [
  'assay.k-1.b1.a1.main.x-0',
  `assay.k-1.b1.a1.main.x-11.${ID}-delete`,
  'assay.k-1.b1.a1.main.x-y-0',
  `assay.k-1.b1.a2.main.x-0.${ID}-stray`,
  'assay.k-1.kept.main.x-0',
  'assay.k-1.b2.a1',
  '__consumer_offsets-0',
  'meta.properties',
];

describe('folders of topics on a broker', () => {
  it('are those of one topic, deleted ones too, of no other that begins alike, and none that Kafka keeps as stray', () => {
    for (const name of names) mkdirSync(join(node, 'data', name), { recursive: true });
    expect(topicFolders(node, 'assay.k-1.b1.a1.main.x').toSorted()).toEqual(names.slice(0, 2));
    expect(foldersOfTopics(node, 'assay.k-1.b', ['assay.k-1.b1.a1.main.x']).toSorted()).toEqual([names[2]]);
    expect(foldersOfTopics(node, 'assay.k-1.b', []).length).toBe(3);
  });

  it('are none where there is no disk yet', () => {
    expect(foldersOfTopics(node, 'assay.', [])).toEqual([]);
  });
});
