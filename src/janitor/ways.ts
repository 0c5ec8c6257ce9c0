import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { InfrastructureError } from '../lab/errors.ts';
import { machineFolder, resolveHome } from '../lab/home.ts';
import type { Env } from '../temporal/home.ts';
import type { Ways } from './janitor.ts';
import { noWorkflows, workflowsOf } from './workflows.ts';

/**
 * The cluster of the kubeconfig or around the pod, EC2 as the environment says, and the labs of this home.
 *
 * @param temporal a connected client, or why there is none: then nothing goes.
 */
export function waysOf(env: Env, temporal: Client | { readonly why: string }): Ways {
  return {
    cluster: (context) => openClusterIfAny(env, context),
    async ec2(region) {
      const asked = region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
      if (asked === undefined || asked === '') return null;
      const { createEc2 } = await import('../aws/ec2.ts');
      return createEc2({ region: asked });
    },
    namespaces: namespacesOf(env['ASSAY_NAMESPACES']),
    workflows: 'why' in temporal ? noWorkflows(temporal.why) : workflowsOf(temporal),
    machine: { home: resolveHome(env), machineDir: machineFolder(env) },
  };
}

function namespacesOf(text: string | undefined): Ways['namespaces'] {
  const names = (text ?? '').split(/[\s,]+/).filter((name) => name !== '');
  return names.length === 0 ? null : names;
}

/** A machine without any kubeconfig has no cluster; a context that was asked for and is not there is a mistake. */
async function openClusterIfAny(env: Env, context: string | null): ReturnType<Ways['cluster']> {
  const { openCluster } = await import('../lab/kubernetes/api/client-cluster.ts');
  if (context !== null) return openCluster({ context });
  try {
    return openCluster();
  } catch (error) {
    const none = !env['KUBECONFIG'] && !existsSync(join(homedir(), '.kube', 'config'));
    if (none && error instanceof InfrastructureError && error.code === 'no-cluster') return null;
    throw error;
  }
}
