import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { look, remove, type Shift } from '../../src/janitor/janitor.ts';
import type { WorkflowState } from '../../src/janitor/leftover.ts';
import { type Home, labFolder, resolveHome } from '../../src/lab/home.ts';
import { machineLease } from '../../src/lab/lease.ts';
import { endProcessesOfLab, processesOfLab } from '../../src/lab/local/processes.ts';
import { clientHost } from '../../src/lab/local/site.ts';
import { CLOSED, knownWorkflows, shiftOf } from './support.ts';

const KEY = 'codec-1a2b3c4d';
const EXPIRY = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

let root: string;
let home: Home;
let states: Record<string, WorkflowState>;
let shift: Shift;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-janitor-'));
  home = resolveHome({ ASSAY_HOME: join(root, 'home') });
  states = { codec: CLOSED };
  const machine = { home, machineDir: join(root, 'machine') };
  shift = shiftOf({ machine, workflows: knownWorkflows(states) }, {}, EXPIRY + HOUR);
});
afterEach(async () => {
  await endProcessesOfLab(labFolder(home, KEY));
  rmSync(root, { recursive: true, force: true });
});

function makeFolder(key = KEY): string {
  const folder = labFolder(home, key);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'lab.json'), JSON.stringify({ format: 1, key, expiresAtMs: EXPIRY, nodes: [] }));
  return folder;
}

describe('a local lab that a terminated experiment left', () => {
  it('is ended and removed; raw files that no store has are kept', async () => {
    const folder = makeFolder();
    const site = { key: KEY, folder, machineDir: join(root, 'machine'), kafkaCache: home.kafka };
    const host = clientHost(site, 'c1');
    await host.launch({
      name: `${KEY}/b1/a/a1/p`,
      argv: ['bash', '-c', 'echo measured; exec sleep 600'],
      deadlineMs: 600_000,
      stderrCapBytes: 1024,
      stdoutCapBytes: 1024,
      stamp: false,
      identity: await host.identity(),
    });
    await expect
      .poll(async () => (await host.poll(`${KEY}/b1/a/a1/p`)).stdout.toString(), { timeout: 20_000 })
      .toContain('measured');
    const { leftovers, looks } = await look(shift);
    expect(looks[0]).toMatchObject({ place: 'machine', state: 'complete' });
    expect(leftovers).toMatchObject([
      { place: 'machine', key: KEY, workflowId: 'codec', verdict: { remove: true } },
    ]);
    expect(leftovers[0]!.parts.some(({ name }) => name.startsWith('process '))).toBe(true);
    expect(await remove(leftovers[0]!, shift)).toMatchObject({ outcome: 'removed', remains: [] });
    expect(existsSync(folder)).toBe(false);
    expect(processesOfLab(folder)).toEqual([]);
    const kept = join(home.root, 'rescue', KEY, 'capsules', 'c1', KEY, 'b1/a/a1/p', 'stdout');
    expect(readFileSync(kept, 'utf8')).toContain('measured');
    expect((await look(shift)).leftovers).toEqual([]);
  });

  it.each<[string, WorkflowState]>([
    ['runs', { kind: 'open' }],
    ['cannot be asked for', { kind: 'unknown', why: 'down' }],
    ['is not known, and a day is not over', { kind: 'not-found' }],
  ])('stays while its workflow %s', async (_, state) => {
    const folder = makeFolder();
    states['codec'] = state;
    const [leftover] = (await look(shift)).leftovers;
    expect(leftover?.verdict.remove).toBe(false);
    expect(await remove(leftover!, shift)).toMatchObject({ outcome: 'left' });
    expect(existsSync(folder)).toBe(true);
  });

  it('stays while it holds the lease of the machine', async () => {
    const holder = { experimentKey: KEY, workflowId: 'codec', labFolder: makeFolder() };
    await machineLease(join(root, 'machine'), 10 * HOUR, () => EXPIRY).acquire(holder);
    const [leftover] = (await look(shift)).leftovers;
    expect(leftover?.verdict).toEqual({ remove: false, why: 'it holds the lease of this machine' });
  });

  it('stays when nothing tells until when it may live, or when its record is of another lab', async () => {
    const folder = makeFolder();
    writeFileSync(
      join(folder, 'lab.json'),
      JSON.stringify({ format: 1, key: 'other-1', expiresAtMs: EXPIRY, nodes: [] }),
    );
    mkdirSync(labFolder(home, 'codec-00000000'), { recursive: true });
    const { leftovers } = await look(shift);
    expect(leftovers.map(({ key, verdict }) => [key, verdict.remove])).toEqual([
      ['codec-00000000', false],
      [KEY, false],
    ]);
  });
});
