import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

let bundle: Promise<WorkflowBundleWithSourceMap> | undefined;

/** The workflows, bundled once a test file. */
export function workflowBundle(): Promise<WorkflowBundleWithSourceMap> {
  const workflowsPath = new URL('../../workflows/index.ts', import.meta.url).pathname;
  bundle ??= bundleWorkflowCode({
    workflowsPath,
    logger: { ...console, log() {}, trace() {}, debug() {}, info() {} },
  });
  return bundle;
}
