import { join } from 'node:path';

/** The cluster that with-cluster.sh started this process beside. Numbers and addresses are those of recipe/env.sh. */
export interface ClusterRun {
  /** Everything of this cluster: `logs/`, `podlogs/`, `pids/`, `ebs/volumes.json`. */
  readonly folder: string;
  /** An administrator's, by the address of clients. Readable by workers under test. */
  readonly kubeconfig: string;
  /** The repository by a path that workers under test can read. */
  readonly repository: string;
}

/** The uid of workers under test; also their gid and that of the tests themselves. Nothing they send reaches a pod. */
export const TESTS_ID = 7531;

export const NODE_NAME = 'lab-node-1';

/** Where clients reach the API server; the cluster's own parts use the loopback. */
export const CLIENT_API = { address: '10.199.0.2', port: 16_443 } as const;

/** Where pods reach the API server, behind the service `kubernetes`. */
export const POD_API = { address: '10.199.0.1', port: 16_443 } as const;

export const POD_RANGE = '10.244.0.0/16';

/** @throws when this process runs without a cluster. */
export function clusterRun(env: NodeJS.ProcessEnv = process.env): ClusterRun {
  const folder = env['ASSAY_CLUSTER_RUN'];
  if (!folder)
    throw new Error('No cluster here: run this through test/cluster/with-cluster.sh (npm run test:cluster).');
  return { folder, kubeconfig: join(folder, 'client.kubeconfig'), repository: join(folder, 'repository') };
}
