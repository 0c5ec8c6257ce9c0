import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the emulated AWS is said to be. */
export const REGION = 'ap-northeast-2';
/** Bucket of the fixture's store. */
export const BUCKET = 'assay-results';

const PODS = { limits: { cpu: '2', memory: '768MiB' }, requests: { cpu: '50m', memory: '128MiB' } };

/** Sections `lab.kubernetes` and `lab.kubernetes.brokers`, as far as they differ from the small lab of the tests. */
export interface LabChanges {
  readonly kubernetes?: Readonly<Record<string, unknown>>;
  readonly brokers?: Readonly<Record<string, unknown>>;
}

/** The section `lab` of a small lab on this machine. */
export const LOCAL_LAB = {
  brokers: { count: 3, heap: '320MiB' },
  clients: { count: 1, heap: '192MiB' },
} as const;

/** The same in the cluster: three brokers and a client on its one node. */
export function clusterLab({ kubernetes = {}, brokers = {} }: LabChanges = {}): object {
  return {
    target: 'kubernetes',
    brokers: LOCAL_LAB.brokers,
    clients: { ...LOCAL_LAB.clients, apart: 'none' },
    kubernetes: {
      region: REGION,
      scratch: '256MiB',
      brokers: { nodes: {}, spread: 'none', disk: '1GiB', grace: '5s', resources: PODS, ...brokers },
      clients: { nodes: {}, resources: PODS },
      ...kubernetes,
    },
  };
}

/** Writes the spec of the fixture with this `lab` section. @returns its path. */
export function writeSpec(folder: string, name: string, lab: object): string {
  const path = join(folder, name);
  const rest = readFileSync(new URL('../fixtures/experiment.yaml', import.meta.url), 'utf8');
  writeFileSync(path, `${rest}lab: ${JSON.stringify(lab)}\n`);
  return path;
}
