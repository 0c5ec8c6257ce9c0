import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostQueue, machineFolder, machineId, resolveHome } from '../../../src/lab/home.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-home-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

describe('the home', () => {
  it('is ASSAY_HOME, else the XDG state folder, else ~/.local/state', () => {
    expect(resolveHome({ ASSAY_HOME: '/a', XDG_STATE_HOME: '/x', HOME: '/h' }).root).toBe('/a');
    expect(resolveHome({ XDG_STATE_HOME: '/x', HOME: '/h' }).labs).toBe('/x/assay/labs');
    expect(resolveHome({ ASSAY_HOME: '', HOME: '/h' }).root).toBe('/h/.local/state/assay');
  });

  it('takes the id of the machine, or keeps one that it made', () => {
    const home = resolveHome({ ASSAY_HOME: join(dir, 'home') });
    writeFileSync(join(dir, 'id'), 'abc\n');
    expect(machineId(home, join(dir, 'id'))).toBe('abc');
    const made = machineId(home, join(dir, 'absent'));
    expect(made).toMatch(/^[0-9a-f-]{36}$/);
    expect(machineId(home, join(dir, 'absent'))).toBe(made);
  });

  it('names one queue for each home of a machine', () => {
    const [a, b] = ['a', 'b'].map((name) => hostQueue(resolveHome({ ASSAY_HOME: join(dir, name) })));
    expect(a).toMatch(/^assay-host-[0-9a-f]{12}$/);
    expect(a).not.toBe(b);
  });

  it('shares the lease and the ports with all homes', () => {
    expect(machineFolder({ ASSAY_HOME: '/a' })).toBe(machineFolder({ ASSAY_HOME: '/b' }));
  });
});
