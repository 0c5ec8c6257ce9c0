import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPlan, loadTrials } from '../../src/store/experiment-files.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { temporalCli } from '../support/python-tool.ts';
import { eventually, running, type Running } from './support/running.ts';

const run = promisify(execFile);
const SPEC = new URL('../e2e/smallest.yaml', import.meta.url).pathname;
const README = new URL('../../README.md', import.meta.url).pathname;

let assay: Running;
let folder: string;

beforeAll(async () => {
  assay = await running();
  folder = mkdtempSync(join(tmpdir(), 'assay-nightly-'));
});
afterAll(async () => {
  await assay?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The command of the README, word for word, with its line breaks taken out. */
function readmeCommand(): string[] {
  const text = readFileSync(README, 'utf8').replaceAll(/\\\n\s*/g, ' ');
  const line = text.split('\n').find((l) => l.startsWith('temporal schedule create'));
  if (line === undefined) throw new Error('the README has no `temporal schedule create`');
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
}

async function temporal(...args: string[]): Promise<string> {
  const options = { cwd: folder };
  return (await run(await temporalCli(), [...args, '--address', assay.address], options)).stdout;
}

/** Ids of the experiments that the schedule started so far. */
async function nightlies(): Promise<string[]> {
  const client = await assay.client();
  const ids: string[] = [];
  for await (const w of client.workflow.list({ query: 'WorkflowType = "experiment"' }))
    ids.push(w.workflowId);
  return ids.filter((id) => id.startsWith('nightly-')).sort();
}

/** Triggers the schedule, lets block 1 be the last, and returns the results folder of the new experiment. */
async function night(): Promise<string> {
  const before = await nightlies();
  await temporal('schedule', 'trigger', '--schedule-id', 'nightly', '--overlap-policy', 'AllowAll');
  const id = await eventually('it starts', async () => (await nightlies()).find((i) => !before.includes(i)));
  await eventually('block 1 runs', async () => (await assay.status(id)).strip?.block === 1);
  const early = await assay.assay('finish-early', id, '--reason', 'a test has no night');
  expect(early.code, early.stderr).toBe(0);
  const result = await assay.result(id);
  expect(result, id).toMatchObject({ outcome: 'completed', leaks: [] });
  return result.resultsFolder!;
}

describe('a nightly by the plain Temporal CLI', () => {
  it('triggered twice gives two experiments with two orders, both listed', { timeout: 600_000 }, async () => {
    const spec = join(folder, 'nightly.yaml');
    // Forty blocks, of which one runs: twenty pairs of orders are alike twice in one of a million cases.
    const text = readFileSync(SPEC, 'utf8').replace(
      'design: { blocks: 1,',
      'design: { blocks: 40, seed: run,',
    );
    expect(text).toContain('seed: run');
    writeFileSync(spec, text);
    writeFileSync(join(folder, 'spec.json'), (await assay.assay('resolve', spec)).stdout);
    await temporal(...readmeCommand());

    const folders = [await night(), await night()];
    const plans = await Promise.all(folders.map(async (f) => (await loadPlan(createFolderStore(f))).plan));
    expect(plans[0]!.specSha256).toBe(plans[1]!.specSha256);
    expect(plans[0]!.seed).not.toBe(plans[1]!.seed);
    expect(plans[0]!.orders).not.toEqual(plans[1]!.orders);
    for (const f of folders)
      expect((await loadTrials(createFolderStore(f))).filter((t) => t.block === 1)).toHaveLength(2);

    const listed = (await assay.assay('ls')).stdout;
    expect(await nightlies()).toHaveLength(2);
    for (const id of await nightlies()) expect(listed).toContain(id);
  });
});
