import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll } from 'vitest';
import { timeSkippingServer } from '../support/python-tool.ts';
import { workflowBundle } from './bundle.ts';
import type { FakeHost } from './fake-host.ts';

/** A test server that skips time, for all tests of a file; there once the first of them runs. */
export function timeSkipping(): { readonly env: TestWorkflowEnvironment } {
  let env: TestWorkflowEnvironment | undefined;
  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    const path = await timeSkippingServer();
    env = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
    await workflowBundle();
  });
  afterAll(async () => {
    await env?.teardown();
  });
  return {
    get env() {
      if (env === undefined) throw new Error('the test server is not up yet');
      return env;
    },
  };
}

/** A worker of all workflows whose activities a fake host answers. */
export async function workerOf(
  env: TestWorkflowEnvironment,
  taskQueue: string,
  host: FakeHost,
): Promise<Worker> {
  return Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities: host.activities,
    maxHeartbeatThrottleInterval: 200,
  });
}
