import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { labFolder, resolveHome } from '../../../src/lab/home.ts';
import { createLocalLab, type LocalLabOptions } from '../../../src/lab/local/local-lab.ts';
import { portsOf } from '../../../src/lab/local/ports.ts';
import { endProcessesOfLab, processesOfLab } from '../../../src/lab/local/processes.ts';
import { until } from '../../../src/lab/wait.ts';

const CASES = ['ports', 'processes'];
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-killed-'));
});
afterEach(async () => {
  // also when the test failed: nothing of it may go on measuring nothing
  for (const what of CASES) await endProcessesOfLab(join(root, 'home', 'labs', `killed-${what}-00000000`));
  rmSync(root, { recursive: true, force: true });
});

describe('a lab whose worker was killed while it provisioned', { timeout: 120_000 }, () => {
  it.each(CASES)('is torn down completely by another process: killed once it had %s', async (what) => {
    const env = { ...process.env, ASSAY_MACHINE_DIR: join(root, 'machine') };
    const home = { ...resolveHome({ ASSAY_HOME: join(root, 'home') }), kafka: resolveHome().kafka };
    const options: LocalLabOptions = {
      home,
      key: `killed-${what}-00000000`,
      plan: {
        target: 'local',
        brokers: { count: 3, kafka: '4.3.1', heapBytes: 256 << 20, jit: 'full', config: {} },
        clients: { names: ['c1'], heapBytes: 128 << 20 },
        pin: true,
      },
      expiresAtMs: Date.now() + 120_000,
      env,
    };
    const folder = labFolder(home, options.key);
    const worker = spawn(
      process.execPath,
      [join(import.meta.dirname, 'provision-worker.ts'), JSON.stringify(options)],
      { stdio: 'ignore', env },
    );
    const exited = once(worker, 'exit');
    const there = () =>
      what === 'ports'
        ? portsOf(join(root, 'machine'), folder).length > 0
        : processesOfLab(folder).some((p) => p.ours && p.command.includes('java'));
    const seen = await until(async () => (there() ? true : undefined), { everyMs: 10, limitMs: 100_000 });
    worker.kill('SIGKILL');
    await exited;
    expect(seen).toBe(true);

    const lab = createLocalLab(options);
    expect((await lab.leaks()).leaks).not.toEqual([]);
    await lab.teardown();
    expect((await lab.leaks()).leaks).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });
});
