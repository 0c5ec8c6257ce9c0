import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { V1CronJob, V1Deployment, V1PodSpec } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';

export const DEPLOY = join(import.meta.dirname, '../../deploy');
export const MANIFESTS = join(DEPLOY, 'kubernetes');

/** A document of a file below deploy/kubernetes, as it is written. */
export interface Manifest {
  /** Below deploy/kubernetes. */
  readonly file: string;
  readonly text: string;
  readonly json: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Labels };
    readonly [field: string]: unknown;
  };
}

type Labels = Readonly<Record<string, string>>;

export interface Kustomization {
  readonly kind: 'Kustomization' | 'Component';
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly patches?: readonly { readonly path?: string; readonly target?: { kind: string; name: string } }[];
  readonly configMapGenerator?: readonly { readonly name: string; readonly literals: readonly string[] }[];
}

const files = readdirSync(MANIFESTS, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.yaml'),
);

function documents(file: string): { text: string; json: unknown }[] {
  const text = readFileSync(join(MANIFESTS, file), 'utf8');
  return parseAllDocuments(text).map((document, i) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`);
    return { text: text.split(/^---$/m)[i] ?? '', json: document.toJS() as unknown };
  });
}

/** Every kustomization by the folder that it is in. */
export const kustomizations: ReadonlyMap<string, Kustomization> = new Map(
  files
    .filter((file) => file.endsWith('kustomization.yaml'))
    .map((file) => [dirname(file), documents(file)[0]?.json as Kustomization]),
);

/** What components lay over others. */
export const patches: readonly string[] = [...kustomizations].flatMap(([folder, { patches: all }]) =>
  (all ?? []).flatMap(({ path }) => (path === undefined ? [] : [join(folder, path)])),
);

/** Every object, patches apart. */
export const manifests: readonly Manifest[] = files
  .filter((file) => !file.endsWith('kustomization.yaml') && !patches.includes(file))
  .flatMap((file) => documents(file).map((document) => ({ file, ...document }) as Manifest));

export const manifestsOf = (kind: string): readonly Manifest[] =>
  manifests.filter(({ json }) => json.kind === kind);

/** The objects that `kubectl apply --kustomize` of a folder makes, patches apart. */
export function builtFrom(folder: string): readonly Manifest[] {
  const { resources = [] } = kustomizations.get(folder) ?? {};
  return resources.flatMap((name) => {
    const path = join(folder, name);
    const inside = relative(MANIFESTS, join(MANIFESTS, path));
    if (!existsSync(join(MANIFESTS, path))) throw new Error(`${folder} names ${name}, which is not there`);
    return path.endsWith('.yaml') ? manifests.filter(({ file }) => file === inside) : builtFrom(inside);
  });
}

/** Pods of everything that makes some, by the name of their maker. */
export function podsOf(made: readonly Manifest[]): readonly (readonly [string, V1PodSpec])[] {
  return made.flatMap(({ json }) => {
    const spec =
      json.kind === 'Deployment'
        ? (json as unknown as V1Deployment).spec?.template.spec
        : json.kind === 'CronJob'
          ? (json as unknown as V1CronJob).spec?.jobTemplate.spec?.template.spec
          : undefined;
    return spec === undefined ? [] : [[json.metadata.name, spec] as const];
  });
}
