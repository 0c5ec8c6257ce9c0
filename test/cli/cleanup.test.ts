import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanupText } from '../../src/cli/cleanup-text.ts';
import { exitCodeOf } from '../../src/cli/cleanup.ts';
import type { Found, JanitorReport } from '../../src/janitor/leftover.ts';

const found = (changes: Partial<Found> = {}): Found => ({
  place: 'cluster',
  id: 'codec-1a2b3c4d',
  key: 'codec-1a2b3c4d',
  workflowId: 'codec',
  owner: 'ann',
  expiresAt: '2026-12-01T00:00:00.000Z',
  workflow: { kind: 'closed', how: 'terminated' },
  parts: [{ name: 'Pod bench/kafka-0', uid: 'u1' }],
  verdict: { remove: true, why: 'workflow codec has ended (terminated)' },
  removal: null,
  ...changes,
});
const report = (changes: Partial<JanitorReport> = {}): JanitorReport => ({
  format: 1,
  dryRun: true,
  looks: [{ place: 'cluster', state: 'complete', says: 'eks' }],
  found: [found()],
  ...changes,
});
const removed = { outcome: 'removed', why: 'workflow codec has ended (terminated)', remains: [] } as const;
const stuck = {
  outcome: 'incomplete',
  why: 'it has ended',
  remains: ['PersistentVolume pv-1: Retain'],
} as const;

describe('what cleanup says', () => {
  it('lists each leftover with why, and how to remove it', () => {
    expect(cleanupText(report())).toBe(
      [
        '✓ looked at the cluster: eks',
        '! codec-1a2b3c4d of ann in the cluster would be removed: workflow codec has ended (terminated)',
        '    Pod bench/kafka-0',
        '`assay cleanup --delete` removes 1 of 1.',
        '',
      ].join('\n'),
    );
  });

  it('names what is still there, and shows nothing that a terminal obeys', () => {
    const text = cleanupText(
      report({
        dryRun: false,
        found: [found({ removal: stuck, owner: '\u001b[2J' }), found({ removal: removed })],
      }),
    );
    expect(text).toContain(
      '✗ codec-1a2b3c4d of <U+001B>[2J in the cluster was not removed completely: it has ended',
    );
    expect(text).toContain('    still there: PersistentVolume pv-1: Retain');
    expect(text).toContain('Removed 1 of 2.');
  });
});

describe('the exit code of cleanup', () => {
  const unknown = found({
    workflow: { kind: 'unknown', why: 'down' },
    verdict: { remove: false, why: 'down' },
  });
  it.each<[string, JanitorReport, string | null, number]>([
    ['a dry run', report(), null, 0],
    ['all gone', report({ dryRun: false, found: [found({ removal: removed })] }), null, 0],
    [
      'something stays that should go',
      report({ dryRun: false, found: [found({ removal: stuck })] }),
      null,
      5,
    ],
    [
      'what runs stays',
      report({ dryRun: false, found: [found({ verdict: { remove: false, why: 'it runs' } })] }),
      null,
      0,
    ],
    [
      'a place that does not answer',
      report({ looks: [{ place: 'ec2', state: 'failed', says: 'x' }] }),
      null,
      5,
    ],
    [
      'a part that may not be seen',
      report({ looks: [{ place: 'cluster', state: 'partly', says: 'x' }] }),
      null,
      0,
    ],
    ['no Temporal, and something to ask for', report({ dryRun: false, found: [unknown] }), 'down', 5],
    ['no Temporal in a dry run', report({ found: [unknown] }), 'down', 0],
    ['no Temporal, and nothing left', report({ dryRun: false, found: [] }), 'down', 0],
  ])('%s', (_, given, silence, code) => {
    expect(exitCodeOf(given, silence)).toBe(code);
  });
});

describe('assay cleanup', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assay-cleanup-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function cleanup(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const bin = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');
    const env = {
      PATH: process.env.PATH,
      HOME: root,
      ASSAY_HOME: join(root, 'home'),
      ASSAY_MACHINE_DIR: join(root, 'machine'),
      ASSAY_TEMPORAL_PORT: '1',
    };
    return new Promise((resolve) => {
      execFile(process.execPath, [bin, 'cleanup', ...args], { cwd: root, env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      });
    });
  }

  it('removes nothing without a Temporal, and fails where something had to be asked', async () => {
    const lab = join(root, 'home', 'labs', 'codec-1a2b3c4d');
    mkdirSync(lab, { recursive: true });
    writeFileSync(join(lab, 'lab.json'), '{"format":1,"key":"codec-1a2b3c4d","expiresAtMs":1,"nodes":[]}');
    const { code, stdout, stderr } = await cleanup('--delete', '--json');
    expect(code).toBe(5);
    expect(stderr).toContain('Nothing can be removed, since nobody says which experiments run');
    const told = JSON.parse(stdout) as JanitorReport;
    expect(told).toMatchObject({
      format: 1,
      dryRun: false,
      looks: [
        { place: 'machine', state: 'complete' },
        { place: 'cluster', state: 'skipped', says: 'none is configured' },
        { place: 'ec2', state: 'skipped', says: 'no region is known' },
      ],
      found: [{ place: 'machine', key: 'codec-1a2b3c4d', verdict: { remove: false }, removal: null }],
    });
  });

  it.each([
    [['--region', 'nowhere'], 'region: Expected a region such as ap-northeast-2.'],
    [['--namespace', 'Bad_Name'], 'Expected the name of a namespace.'],
  ])('refuses %j', async (args, said) => {
    const { code, stderr } = await cleanup(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});
