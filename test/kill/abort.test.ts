import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machineLease } from '../../src/lab/lease.ts';
import { readSpec } from '../../src/spec/read-yaml.ts';
import { PHASES, PHASE_ACTIVITIES, pending, runningTrial } from './support/phases.ts';
import { eventually, running, type Running } from './support/running.ts';

const SPEC = new URL('../e2e/smallest.yaml', import.meta.url).pathname;

let assay: Running;

beforeAll(async () => {
  assay = await running();
});
afterAll(async () => {
  await assay?.close();
});

async function start(id: string): Promise<void> {
  const read = readSpec(readFileSync(SPEC, 'utf8'), SPEC);
  if (!read.ok) throw new Error('smallest.yaml is not valid');
  await (await assay.client()).workflow.start('experiment', {
    workflowId: id,
    taskQueue: 'assay',
    args: [read.json],
  });
}

/** Command lines of processes that belong to a lab of this home: independent of what Assay says about itself. */
function processesOfLabs(): string[] {
  const labs = assay.own.home.labs;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(labs) ? [`${pid} ${line}`] : [];
      } catch {
        return [];
      }
    });
}

async function abortAndExpectNothingLeft(id: string): Promise<void> {
  const ended = await assay.assay('abort', id, '--reason', 'a test');
  const result = await assay.result(id);
  expect(result, ended.stderr).toMatchObject({ outcome: 'aborted', leaks: [] });
  expect(processesOfLabs()).toEqual([]);
  expect(existsSync(join(assay.own.home.labs, result.key))).toBe(false);
  expect(machineLease(assay.own.env['ASSAY_MACHINE_DIR']!).current()).toBeNull();
}

describe('abort leaves no process, port or folder of ours', () => {
  it('while it waits for the machine', async () => {
    const lease = machineLease(assay.own.env['ASSAY_MACHINE_DIR']!);
    await lease.acquire({ experimentKey: 'other', workflowId: 'other', labFolder: '/nonexistent' });
    await start('waiting');
    const holder = await eventually(
      'it says for whom it waits',
      async () => (await assay.status('waiting')).leaseHolder,
    );
    expect(holder).toContain('other');
    const ended = await assay.assay('abort', 'waiting');
    expect(await assay.result('waiting'), ended.stderr).toMatchObject({ outcome: 'aborted', leaks: [] });
    expect(lease.current()?.experimentKey).toBe('other');
    await lease.release('other');
  });

  it('while it provisions', async () => {
    await start('provisioning');
    await eventually('the brokers start', async () =>
      processesOfLabs().some((line) => line.includes('kafka.Kafka')),
    );
    await abortAndExpectNothingLeft('provisioning');
  });

  for (const phase of PHASES) {
    it(`in phase ${phase} of a trial`, async () => {
      const id = `abort-${phase}`;
      await start(id);
      const client = await assay.client();
      await eventually(`phase ${phase}`, async () => {
        const trial = await runningTrial(client, id);
        if (trial === null) return false;
        return (await pending(client, trial)).some(
          (a) => a.started && a.activity === PHASE_ACTIVITIES[phase],
        );
      });
      await abortAndExpectNothingLeft(id);
    });
  }
});
