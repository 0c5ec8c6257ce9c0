import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubectl } from './command.ts';
import { clusterRun } from './run.ts';

/** Longer than any file of tests. */
const LIFE = '6h';

/**
 * A kubeconfig with a token of a ServiceAccount and nothing else. Readable by workers under test.
 *
 * @returns its path.
 */
export async function kubeconfigOf(namespace: string, account: string): Promise<string> {
  const token = await kubectl(['-n', namespace, 'create', 'token', account, `--duration=${LIFE}`]);
  const { clusters } = JSON.parse(await kubectl(['config', 'view', '--raw', '-o', 'json'])) as {
    readonly clusters: readonly { readonly name: string }[];
  };
  const path = join(clusterRun().folder, `${namespace}-${account}.kubeconfig`);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters,
    users: [{ name: account, user: { token: token.trim() } }],
    contexts: [{ name: account, context: { cluster: clusters[0]?.name, user: account } }],
    'current-context': account,
  };
  writeFileSync(path, JSON.stringify(config), { mode: 0o644 });
  return path;
}
