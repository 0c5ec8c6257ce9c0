import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpYaml, loadYaml, type V1NetworkPolicy, type V1PodSpec } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROLE_LABEL } from '../../src/lab/kubernetes/objects/lab-design.ts';
import { BROKER_PORT, CONTROLLER_PORT } from '../../src/lab/kubernetes/objects/names.ts';
import { chooseTemporal } from '../../src/temporal/connection.ts';
import { listenAddress } from '../../src/temporal/listen-address.ts';
import {
  builtFrom,
  DEPLOY,
  kustomizations,
  manifests,
  MANIFESTS,
  manifestsOf,
  patches,
  podsOf,
} from './manifests.ts';

const OVERLAYS = [...kustomizations.keys()].filter((folder) => folder.startsWith('overlays/'));
const ALL_PODS = podsOf(manifests);

describe('every manifest', () => {
  it.each(manifests.map((one) => [`${one.file} ${one.json.kind}`, one.text] as const))(
    '%s has only fields that its kind has',
    (_, text) => {
      // The typed object keeps what it knows: what is misspelt is gone.
      expect(parse(dumpYaml(loadYaml(text)))).toEqual(parse(text));
    },
  );

  it.each(patches)('%s patches what is there, with fields that it has', (file) => {
    const text = readFileSync(join(MANIFESTS, file), 'utf8');
    const patch = parse(text) as { kind: string; metadata: object };
    expect(manifestsOf(patch.kind).map(({ json }) => json.metadata.name)).toContain(
      (patch.metadata as { name: string }).name,
    );
    const { selector: _, ...rest } = parse(dumpYaml(loadYaml(text))) as Record<string, unknown>;
    expect(rest).toEqual(patch);
  });

  it('of PostgreSQL has only fields that its kind has', () => {
    for (const text of readFileSync(join(DEPLOY, 'temporal/postgres.yaml'), 'utf8').split(/^---$/m))
      expect(parse(dumpYaml(loadYaml(text)))).toEqual(parse(text));
  });
});

describe('every overlay', () => {
  it.each(OVERLAYS)('%s names folders and files that are there, each object once', (overlay) => {
    const names = builtFrom(overlay).map(
      ({ json: { kind, metadata } }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`,
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names).toEqual([...new Set(names)]);
    for (const component of kustomizations.get(overlay)?.components ?? [])
      expect(kustomizations.get(join(overlay, component))?.kind).toBe('Component');
  });

  it.each(OVERLAYS)('%s brings the accounts, claims and settings that its pods name', (overlay) => {
    const built = builtFrom(overlay);
    const there = (kind: string) =>
      built.filter(({ json }) => json.kind === kind).map(({ json }) => json.metadata.name);
    const pods = podsOf(built);
    expect(pods.map(([name]) => name).toSorted()).toEqual(['assay-janitor', 'assay-worker']);
    for (const [, pod] of pods) {
      expect(there('ServiceAccount')).toContain(pod.serviceAccountName);
      for (const { persistentVolumeClaim } of pod.volumes ?? [])
        if (persistentVolumeClaim !== undefined)
          expect(there('PersistentVolumeClaim')).toContain(persistentVolumeClaim.claimName);
      expect(pod.containers.flatMap(({ envFrom }) => envFrom ?? [])).toEqual([
        { configMapRef: { name: 'assay-settings' } },
      ]);
    }
  });

  it('has every namespace that it puts something into', () => {
    for (const overlay of OVERLAYS) {
      const built = builtFrom(overlay);
      const namespaces = new Set(built.flatMap(({ json }) => json.metadata.namespace ?? []));
      for (const name of namespaces)
        expect(built.some(({ json }) => json.kind === 'Namespace' && json.metadata.name === name)).toBe(true);
    }
  });
});

describe('the settings', () => {
  const literals = (folder: string) =>
    (kustomizations.get(folder)?.configMapGenerator ?? []).flatMap((generator) => generator.literals);

  it.each(['base', 'overlays/temporal-cloud'])('of %s are what the worker reads', (folder) => {
    const env = Object.fromEntries(literals(folder).map((line) => line.split(/=(.*)/).slice(0, 2)));
    const { kind, address, namespace } = chooseTemporal({
      ...env,
      TEMPORAL_CONFIG_FILE: '/none.toml',
      HOME: '/none',
    });
    expect(kind).toBe('configured');
    expect(address).toBe(env['TEMPORAL_ADDRESS']);
    expect(namespace).toBe(env['TEMPORAL_NAMESPACE']);
  });

  it('of Temporal Cloud encrypt the connection as soon as there is a key', () => {
    const env = Object.fromEntries(literals('overlays/temporal-cloud').map((line) => line.split('=')));
    const choice = chooseTemporal({ ...env, TEMPORAL_API_KEY: 'secret', TEMPORAL_CONFIG_FILE: '/none.toml' });
    expect(choice.connectionOptions).toMatchObject({ apiKey: 'secret', tls: true });
  });

  it('open the endpoints on the ports that probes and Prometheus ask', () => {
    const worker = podOf('assay-worker');
    const [container] = worker.containers;
    const env = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]));
    const ports = Object.fromEntries((container?.ports ?? []).map((port) => [port.name, port.containerPort]));
    expect(listenAddress('ASSAY_HEALTH_ADDRESS', env)?.port).toBe(ports['health']);
    expect(listenAddress('ASSAY_METRICS_ADDRESS', env)?.port).toBe(ports['metrics']);
    expect(container?.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'health' });
    expect(container?.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'health' });
    const [deployment] = manifestsOf('Deployment');
    expect(JSON.stringify(deployment?.json)).toContain(`"prometheus.io/port":"${ports['metrics']}"`);
  });

  it('keep the home of the worker on its volume', () => {
    const [container] = podOf('assay-worker').containers;
    const home = container?.env?.find(({ name }) => name === 'ASSAY_HOME')?.value;
    expect(container?.volumeMounts?.find(({ name }) => name === 'home')?.mountPath).toBe(home);
  });
});

describe('every pod', () => {
  it.each(ALL_PODS)('of %s is admitted where pod security is restricted', (_, pod) => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect([pod.hostNetwork, pod.hostPID, pod.hostIPC]).toEqual([undefined, undefined, undefined]);
    for (const volume of pod.volumes ?? [])
      expect(['emptyDir', 'persistentVolumeClaim']).toContain(
        Object.keys(volume).find((key) => key !== 'name'),
      );
    for (const { securityContext, ports = [] } of pod.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(ports.flatMap(({ hostPort }) => hostPort ?? [])).toEqual([]);
    }
  });

  it.each(ALL_PODS)('of %s has resources, and no variables of Services', (_, pod) => {
    expect(pod.enableServiceLinks).toBe(false);
    for (const { resources } of pod.containers) {
      expect(Object.keys(resources?.requests ?? {})).toEqual(['cpu', 'memory']);
      expect(resources?.limits).toHaveProperty('memory');
    }
  });

  it.each(ALL_PODS)('of %s shares no node with what is measured', (_, pod) => {
    const [term] = pod.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    expect(term).toEqual({
      topologyKey: 'kubernetes.io/hostname',
      namespaceSelector: {},
      labelSelector: {
        matchExpressions: [{ key: ROLE_LABEL, operator: 'In', values: ['broker', 'client'] }],
      },
    });
  });

  it('may reach neither brokers nor controllers', () => {
    const [policy] = manifestsOf('NetworkPolicy').map(({ json }) => json as unknown as V1NetworkPolicy);
    const ports = (policy?.spec?.egress ?? []).flatMap((rule) => rule.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    for (const { port, endPort } of ports) {
      expect(endPort).toBeUndefined();
      expect([BROKER_PORT, CONTROLLER_PORT]).not.toContain(port);
    }
    // A rule without ports allows all of them.
    expect((policy?.spec?.egress ?? []).every((rule) => (rule.ports ?? []).length > 0)).toBe(true);
  });
});

function podOf(name: string): V1PodSpec {
  const pod = ALL_PODS.find(([maker]) => maker === name)?.[1];
  if (pod === undefined) throw new Error(`no pod of ${name}`);
  return pod;
}
