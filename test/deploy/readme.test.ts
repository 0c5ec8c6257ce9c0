import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { kubernetesPlanOf } from '../../src/design/kubernetes-plan.ts';
import { labRefusals } from '../../src/design/lab-limits.ts';
import { parseSpec } from '../../src/spec/check.ts';
import { builtFrom, DEPLOY, kustomizations, podsOf, type Kustomization } from './manifests.ts';

const README = readFileSync(join(DEPLOY, 'README.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...README.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, of, text]) =>
    of === language && text !== undefined ? [text] : [],
  );

describe('deploy/README.md', () => {
  it('names files that are there', () => {
    const named = [...README.matchAll(/\bdeploy\/[\w./-]*\w/g)].map(([path]) => path);
    expect(named.length).toBeGreaterThan(8);
    const policies = ['worker', 'janitor'].map((who) => `deploy/iam/${who}-policy.json`);
    const gone = [...named, ...policies].filter((path) => !existsSync(join(DEPLOY, '..', path)));
    expect(gone).toEqual([]);
  });

  it('shows an overlay that builds upon what is there', () => {
    const [mine] = blocks('yaml').map(
      (text) => parse(text) as Kustomization & { images?: readonly { name: string }[] },
    );
    for (const resource of mine?.resources ?? []) {
      const folder = resource.replace('../deploy/kubernetes/', '');
      expect(kustomizations.has(folder)).toBe(true);
      const images = podsOf(builtFrom(folder)).flatMap(([, pod]) => pod.containers.map(({ image }) => image));
      expect(new Set(images)).toEqual(new Set(mine?.images?.map(({ name }) => name)));
    }
    expect(mine?.configMapGenerator?.map(({ name }) => name)).toEqual(['assay-settings']);
  });

  it('makes roles for the accounts of the overlay', () => {
    const accounts = builtFrom('overlays/namespaced')
      .filter(({ json }) => json.kind === 'ServiceAccount')
      .map(({ json }) => json.metadata.name.replace('assay-', ''));
    const loop = /for who in ([\w ]+); do/.exec(README)?.[1]?.split(' ') ?? [];
    expect(accounts.toSorted()).toEqual(loop.toSorted());
  });
});

describe('the first report', () => {
  const parsed = parseSpec(parse(readFileSync(join(DEPLOY, 'first-report.yaml'), 'utf8')));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const { spec } = parsed;
  const plan = kubernetesPlanOf(spec);

  it('is a spec that a kubernetes lab can run', () => {
    expect(labRefusals(spec, ['kubernetes'])).toEqual([]);
  });

  it('asks for the namespace and the storage class that the overlay makes', () => {
    const made = builtFrom('overlays/namespaced').map(({ json }) => `${json.kind} ${json.metadata.name}`);
    expect(plan?.namespace.mode).toBe('given');
    expect(plan?.storageClass.mode).toBe('given');
    expect(made).toContain(`Namespace ${plan?.namespace.name}`);
    expect(made).toContain(`StorageClass ${plan?.storageClass.name}`);
  });

  it('asks for the nodes that the first step makes', () => {
    const type = 'node.kubernetes.io/instance-type';
    for (const [kind, count] of [
      ['brokers', spec.lab.brokers.count],
      ['clients', spec.lab.clients.count],
    ] as const)
      expect(README).toContain(
        `--name assay-${kind} --node-type ${plan?.[kind].nodeLabels[type]} --nodes ${count}`,
      );
  });

  it('keeps its results below the prefix that the policy allows', () => {
    expect(README).toContain('s/PREFIX/assay/');
    expect(spec.store.s3).toMatch(/^s3:\/\/[^/]+\/assay$/);
    expect(dirname(`${spec.store.s3}/key`)).toMatch(/\/assay$/);
  });
});
