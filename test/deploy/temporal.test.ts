import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { chooseTemporal } from '../../src/temporal/connection.ts';
import { ASSAY_SEARCH_ATTRIBUTES } from '../../src/temporal/search-attributes.ts';
import { DEPLOY, kustomizations } from './manifests.ts';

const SCRIPT = join(DEPLOY, 'temporal/search-attributes.sh');

/** The words that the script gives to a command line, which is echo here. */
function words(...args: string[]): string[] {
  const env = { ...process.env, TEMPORAL: 'echo', TCLD: 'echo', TEMPORAL_NAMESPACE: 'ns' };
  return execFileSync(SCRIPT, args, { env, encoding: 'utf8' }).trim().split(' ');
}

describe('search-attributes.sh', () => {
  it('makes all of them and no others, with their types', () => {
    const [, , , , ...pairs] = words().slice(1);
    const made = Object.fromEntries(
      Array.from({ length: pairs.length / 4 }, (_, i) => [pairs[4 * i + 1], pairs[4 * i + 3]]),
    );
    expect(words().slice(0, 5)).toEqual(['operator', 'search-attribute', 'create', '--namespace', 'ns']);
    expect(made).toEqual(ASSAY_SEARCH_ATTRIBUTES);
  });

  it('makes the same in Temporal Cloud', () => {
    const made = words('--cloud')
      .filter((word) => word.includes('='))
      .map((word) => word.split('='));
    expect(Object.fromEntries(made)).toEqual(ASSAY_SEARCH_ATTRIBUTES);
  });
});

describe('a Temporal of one’s own', () => {
  const values = parse(readFileSync(join(DEPLOY, 'temporal/values.yaml'), 'utf8'), { merge: true }) as {
    server: {
      config: {
        persistence: { datastores: Record<string, { sql: Record<string, unknown> }> };
        namespaces: { namespace: readonly { name: string }[] };
      };
    };
  };
  const postgres = parseAllDocuments(readFileSync(join(DEPLOY, 'temporal/postgres.yaml'), 'utf8')).map(
    (document) =>
      document.toJS() as {
        kind: string;
        metadata: { name: string; namespace: string };
        spec: { ports?: readonly { port: number }[] };
      },
  );

  it('finds the database where postgres.yaml puts it, by the same user and Secret', () => {
    const service = postgres.find(({ kind }) => kind === 'Service');
    const { name, namespace } = service?.metadata ?? {};
    const { datastores } = values.server.config.persistence;
    expect(Object.keys(datastores)).toEqual(['default', 'visibility']);
    const set = JSON.stringify(postgres);
    for (const { sql } of Object.values(datastores)) {
      expect(sql['connectAddr']).toBe(`${name}.${namespace}.svc:${service?.spec.ports?.[0]?.port}`);
      expect(set).toContain(`{"name":"POSTGRES_USER","value":"${String(sql['user'])}"}`);
      expect(set).toContain(
        `{"name":"${String(sql['existingSecret'])}","key":"${String(sql['secretKey'])}"}`,
      );
    }
    const databases = Object.values(datastores).map(({ sql }) => sql['databaseName']);
    expect(new Set(databases).size).toBe(2);
  });

  it('has the namespace that the worker asks for', () => {
    const [generator] = kustomizations.get('base')?.configMapGenerator ?? [];
    const namespace = generator?.literals
      .find((line) => line.startsWith('TEMPORAL_NAMESPACE='))
      ?.split('=')[1];
    expect(values.server.config.namespaces.namespace.map(({ name }) => name)).toContain(namespace);
  });
});

describe('the profile of Temporal Cloud', () => {
  it('is one that Assay reads', () => {
    const choice = chooseTemporal({
      TEMPORAL_CONFIG_FILE: join(DEPLOY, 'temporal/cloud.toml'),
      TEMPORAL_PROFILE: 'assay',
      TEMPORAL_API_KEY: 'secret',
    });
    expect(choice).toMatchObject({
      kind: 'configured',
      namespace: 'NAME.ACCOUNT',
      connectionOptions: { apiKey: 'secret', tls: true },
    });
  });
});
