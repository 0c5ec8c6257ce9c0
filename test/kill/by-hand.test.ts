import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/design/plan.ts';
import { loadPlan, loadTrials } from '../../src/store/experiment-files.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { temporalCli } from '../support/python-tool.ts';
import { running, type Running } from './support/running.ts';

const run = promisify(execFile);
const SPEC = new URL('../e2e/smallest.yaml', import.meta.url).pathname;

let assay: Running;
let folder: string;

beforeAll(async () => {
  assay = await running();
  folder = mkdtempSync(join(tmpdir(), 'assay-by-hand-'));
});
afterAll(async () => {
  await assay?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The README's way without Assay's command line: `temporal workflow start --input-file`. */
async function startByHand(id: string, specFile: string): Promise<void> {
  const address = `127.0.0.1:${assay.own.temporalPort}`;
  const start = ['workflow', 'start', '--address', address, '--type', 'experiment', '--task-queue', 'assay'];
  await run(await temporalCli(), [...start, '--workflow-id', id, '--input-file', specFile]);
}

async function planOf(resultsFolder: string): Promise<Plan> {
  return (await loadPlan(createFolderStore(resultsFolder))).plan;
}

describe('the plain Temporal CLI', () => {
  it('starts the same plan from resolved JSON; the same id started again runs every load again', async () => {
    const resolved = await assay.assay('resolve', SPEC);
    expect(resolved.code, resolved.stderr).toBe(0);
    const specFile = join(folder, 's.json');
    writeFileSync(specFile, resolved.stdout);
    const planned = JSON.parse((await assay.assay('plan', SPEC, '--json')).stdout) as Plan;

    await startByHand('x', specFile);
    const first = await assay.result('x');
    await startByHand('x', specFile);
    const second = await assay.result('x');
    expect([first.outcome, second.outcome]).toEqual(['completed', 'completed']);

    const plans = [await planOf(first.resultsFolder!), await planOf(second.resultsFolder!)];
    for (const plan of plans) {
      expect(plan.specSha256).toBe(planned.specSha256);
      expect(plan.orders).toEqual(planned.orders);
      expect(plan.scenarios).toEqual(planned.scenarios);
    }
    expect(second.key).not.toBe(first.key);
    const [a, b] = await Promise.all(
      [first, second].map((r) => loadTrials(createFolderStore(r.resultsFolder!))),
    );
    expect(b!.map((t) => t.id)).toEqual(a!.map((t) => t.id));
    const topics = (file: string): string[] => readFileSync(file, 'utf8').match(/assay\.x-[\w.-]+/g) ?? [];
    for (const t of b!) {
      const own = topics(join(second.resultsFolder!, `trials/${t.id}/trial.json`));
      expect(own.length).toBeGreaterThan(0);
      expect(own.every((name) => name.includes(second.key))).toBe(true);
    }
  });
});
