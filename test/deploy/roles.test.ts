import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { V1ClusterRole, V1ClusterRoleBinding } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { deployedRoles, LABS_NAMESPACE, roleText, rulesOf } from '../../scripts/roles.ts';
import { JANITOR_PERMISSIONS } from '../../src/janitor/permissions.ts';
import { KINDS } from '../../src/lab/kubernetes/api/kinds.ts';
import { type Permission, PERMISSIONS } from '../../src/lab/kubernetes/permissions.ts';
import { builtFrom, kustomizations, MANIFESTS, manifestsOf } from './manifests.ts';

/** `delete apps/statefulsets`, one for each verb that a role grants. */
function granted(role: V1ClusterRole): string[] {
  return (role.rules ?? []).flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
    ),
  );
}

/** What an account has in an overlay, cluster-wide or in one namespace. */
function grantedTo(account: string, overlay: string): Set<string> {
  const built = builtFrom(overlay);
  const bindings = built
    .filter(({ json }) => json.kind.endsWith('RoleBinding'))
    .map(({ json }) => json as unknown as V1ClusterRoleBinding)
    .filter(({ subjects }) => subjects?.some(({ name }) => name === account));
  const roles = bindings.flatMap(({ roleRef, metadata }) =>
    built.filter(
      ({ json }) =>
        json.kind === roleRef.kind &&
        json.metadata.name === roleRef.name &&
        (json.kind === 'ClusterRole' || json.metadata.namespace === metadata?.namespace),
    ),
  );
  expect(roles).toHaveLength(bindings.length);
  return new Set(roles.flatMap(({ json }) => granted(json as unknown as V1ClusterRole)));
}

function asked(table: readonly Permission[], needs?: readonly Permission['need'][]): Set<string> {
  return new Set(
    table
      .filter(({ need }) => needs === undefined || needs.includes(need))
      .flatMap(({ group, resource, subresource, verbs }) =>
        verbs.map((verb) => `${verb} ${group}/${[resource, subresource].filter(Boolean).join('/')}`),
      ),
  );
}

describe('the roles of deploy/', () => {
  it.each(deployedRoles().map((role) => [role.file, role] as const))(
    '%s is as the table makes it (`npm run roles`)',
    (file, role) => {
      expect(readFileSync(join(MANIFESTS, file), 'utf8')).toBe(roleText(role));
    },
  );

  it('are all there are', () => {
    const files = [...manifestsOf('Role'), ...manifestsOf('ClusterRole')].map(({ file }) => file);
    expect(files.toSorted()).toEqual(
      deployedRoles()
        .map(({ file }) => file)
        .toSorted(),
    );
  });

  it.each([
    ['assay-worker', PERMISSIONS],
    ['assay-janitor', JANITOR_PERMISSIONS],
  ] as const)('grant %s exactly what it asks for, in both modes', (account, table) => {
    expect(grantedTo(account, 'overlays/namespaced')).toEqual(asked(table, ['always', 'look']));
    expect(grantedTo(account, 'overlays/cluster-wide')).toEqual(asked(table));
  });

  it.each(['overlays/namespaced', 'overlays/cluster-wide'])(
    'let the janitor of %s look and delete, make nothing and run nothing',
    (overlay) => {
      const rights = [...grantedTo('assay-janitor', overlay)];
      expect(rights.filter((right) => !/^(get|list|delete) [^/]*\/[a-z]+$/.test(right))).toEqual([]);
      const removed = [...grantedTo('assay-worker', overlay)].filter((right) => right.startsWith('delete '));
      expect(rights).toEqual(expect.arrayContaining(removed));
    },
  );

  it('write in one namespace only, where namespaces are given', () => {
    const writes = builtFrom('overlays/namespaced')
      .filter(({ json }) => json.kind === 'ClusterRole')
      .flatMap(({ json }) => granted(json as unknown as V1ClusterRole))
      .filter((right) => !/^(get|list) /.test(right));
    expect(writes).toEqual([]);
    const namespaces = manifestsOf('Role').map(({ json }) => json.metadata.namespace);
    expect(new Set(namespaces)).toEqual(new Set([LABS_NAMESPACE]));
  });

  it('look with the janitor where it may', () => {
    const [patch] = kustomizations.get('overlays/namespaced')?.patches ?? [];
    expect(JSON.stringify(patch)).toContain(`--namespace, ${LABS_NAMESPACE}]`);
  });

  it('have no wildcards, and name only kinds that Assay knows', () => {
    const known = new Set(Object.values(KINDS).map(({ plural }) => plural));
    for (const role of deployedRoles())
      for (const { apiGroups, resources, verbs } of rulesOf(role)) {
        expect([...apiGroups, ...resources, ...verbs]).not.toContain('*');
        for (const resource of resources) expect([...known]).toContain(resource.split('/')[0]);
      }
  });
});
