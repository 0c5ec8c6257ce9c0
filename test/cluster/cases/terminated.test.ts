import { describe, expect, test } from 'vitest';
import type { Found, JanitorReport } from '../../../src/janitor/leftover.ts';
import type { janitor } from '../../../workflows/janitor.ts';
import { temporalCli } from '../../support/python-tool.ts';
import { kubectl, run as command } from '../support/command.ts';
import { leftOver } from '../support/left-over.ts';
import type { LoadedTrial } from '../support/running-experiment.ts';
import { setStage } from '../support/stage.ts';
import { REGION } from '../support/spec-file.ts';

/* `temporal workflow terminate` runs no code of ours: the janitor takes away what is left. */

const ID = 'terminated';

const stage = setStage();
let trial: LoadedTrial;

/** The CLI that comes with Temporal. */
async function temporal(...args: readonly string[]): Promise<string> {
  const ended = await command(await temporalCli(), [...args, '--address', stage.own.temporal], {
    limitMs: 400_000,
  });
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  return ended.stdout;
}

async function cleanup(...options: readonly string[]): Promise<JanitorReport> {
  const { code, stdout, stderr } = await stage.own.assay(['cleanup', '--json', ...options], 120_000);
  expect(code, stdout + stderr).toBe(0);
  return JSON.parse(stdout) as JanitorReport;
}

const inCluster = ({ found }: JanitorReport): readonly Found[] =>
  found.filter(({ place }) => place === 'cluster');
const namespaces = () =>
  kubectl(['get', 'namespaces', '-l', 'app.kubernetes.io/managed-by=assay', '-o', 'name']);

describe('an experiment that is terminated', { timeout: 600_000 }, () => {
  test('leaves its lab, which stays while it runs and before its time is over', async () => {
    const run = stage.start(ID, { limitMs: 900_000 });
    trial = await run.midLoad();
    const whileItRuns = inCluster(await cleanup('--delete', '--ignore-expiry'));
    expect(whileItRuns).toMatchObject([
      {
        key: trial.key,
        workflowId: ID,
        workflow: { kind: 'open' },
        verdict: { remove: false },
        removal: null,
      },
    ]);

    await temporal('workflow', 'terminate', '--workflow-id', ID, '--reason', 'a test');
    const ended = await run.ended;
    expect(ended.code, ended.stderr).toBe(6);
    expect(ended.stderr).toContain('It was terminated, so nothing was torn down');
    expect(await namespaces()).toBe(`namespace/${trial.namespace}\n`);

    const early = inCluster(await cleanup('--delete'));
    expect(early).toMatchObject([
      { key: trial.key, workflow: { kind: 'closed', how: 'terminated' }, verdict: { remove: false } },
    ]);
    expect(early[0]?.verdict.why).toMatch(/has ended \(terminated\); it may go from/);
    expect(await namespaces()).toBe(`namespace/${trial.namespace}\n`);
  });

  test('is only looked at in a dry run', async () => {
    const dry = await cleanup('--ignore-expiry');
    expect(dry.dryRun).toBe(true);
    expect(inCluster(dry)).toMatchObject([{ key: trial.key, verdict: { remove: true }, removal: null }]);
    expect(await namespaces()).toBe(`namespace/${trial.namespace}\n`);
  });

  test('is taken away by the janitor, in the cluster and in EC2', async () => {
    const input = JSON.stringify({ delete: true, ignoreExpiry: true, region: REGION });
    const start = [
      '--type',
      'janitor',
      '--task-queue',
      'assay',
      '--workflow-id',
      'janitor',
      '--input',
      input,
    ];
    await temporal('workflow', 'execute', ...start);
    // By the client: the command line prints an empty list as null.
    const handle = (await stage.client()).workflow.getHandle<typeof janitor>('janitor');
    const report = await handle.result();
    process.stderr.write(`${JSON.stringify(report, null, 1)}\n`);
    expect(inCluster(report)).toMatchObject([
      { key: trial.key, removal: { outcome: 'removed', remains: [] } },
    ]);
    expect(await leftOver()).toEqual([]);
    expect((await cleanup('--delete', '--ignore-expiry')).found).toEqual([]);
  });
});
