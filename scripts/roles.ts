import { JANITOR_PERMISSIONS } from '../src/janitor/permissions.ts';
import { type Permission, PERMISSIONS } from '../src/lab/kubernetes/permissions.ts';

/*
 * The roles of deploy/kubernetes, made from the tables of permissions: nothing that is not in them is granted, and nothing
 * that is in them is missing. Pure; `npm run roles` writes the files, a test compares them.
 */

export interface DeployedRole {
  readonly kind: 'Role' | 'ClusterRole';
  readonly name: string;
  /** Whose it is. */
  readonly account: 'assay-worker' | 'assay-janitor';
  /** Below deploy/kubernetes. */
  readonly file: string;
  /** What it is for, a line each, for whoever reads the file. */
  readonly about: readonly string[];
  readonly permissions: readonly Permission[];
}

/** Where the labs of the default mode are; an overlay of one's own sets another. */
export const LABS_NAMESPACE = 'assay-labs';

/** What belongs to each part of the deployment. */
export function deployedRoles(): readonly DeployedRole[] {
  return [...workerRoles(), ...janitorRoles()];
}

function workerRoles(): readonly DeployedRole[] {
  const account = 'assay-worker';
  return [
    {
      kind: 'Role',
      name: 'assay-labs',
      account,
      file: 'given-namespace/role.yaml',
      about: ['Labs in one namespace that is given.'],
      permissions: PERMISSIONS.filter(isInTheLab),
    },
    {
      kind: 'ClusterRole',
      name: 'assay-look',
      account,
      file: 'look/cluster-role.yaml',
      about: [
        'Reading, all over the cluster. Without it labs work; what could not be looked at is said to be unverified, first of',
        'all which EBS volume is whose.',
      ],
      permissions: PERMISSIONS.filter(isALook),
    },
    {
      kind: 'ClusterRole',
      name: 'assay-created-labs',
      account,
      file: 'created-labs/cluster-role.yaml',
      about: [
        'Labs that create their namespace or storage class. Names of namespaces are not known beforehand, so this reaches into EVERY',
        'namespace: whoever has it can run commands in any pod of the cluster and delete any claim (deploy/README.md).',
      ],
      permissions: PERMISSIONS.filter((one) => !isALook(one)),
    },
  ];
}

function janitorRoles(): readonly DeployedRole[] {
  const account = 'assay-janitor';
  return [
    {
      kind: 'Role',
      name: 'assay-janitor',
      account,
      file: 'given-namespace/janitor-role.yaml',
      about: ['What labs in that namespace left: looked at and deleted. Makes nothing and runs nothing.'],
      permissions: JANITOR_PERMISSIONS.filter(isInTheLab),
    },
    {
      kind: 'ClusterRole',
      name: 'assay-janitor-look',
      account,
      file: 'look/janitor-cluster-role.yaml',
      about: ['Reading, all over the cluster. Without it no disk is deleted in EC2, and what goes is said to be unverified.'],
      permissions: JANITOR_PERMISSIONS.filter(isALook),
    },
    {
      kind: 'ClusterRole',
      name: 'assay-janitor-created-labs',
      account,
      file: 'created-labs/janitor-cluster-role.yaml',
      about: [
        'What labs left that created their namespace or storage class. Makes nothing and runs nothing; by its rights alone it could',
        'delete in EVERY namespace.',
      ],
      permissions: JANITOR_PERMISSIONS.filter((one) => !isALook(one)),
    },
  ];
}

function isInTheLab({ scope }: Permission): boolean {
  return scope === 'namespace';
}

function isALook({ scope, need }: Permission): boolean {
  return scope === 'cluster' && need === 'look';
}

export interface RoleRule {
  readonly apiGroups: readonly [string];
  readonly resources: readonly [string];
  readonly verbs: readonly string[];
  /** Why each permission is needed that went into it. */
  readonly why: readonly string[];
}

/** One rule a resource, in the order of the table; verbs sorted. */
export function rulesOf({ permissions }: DeployedRole): readonly RoleRule[] {
  const rules = new Map<string, RoleRule>();
  for (const { group, resource, subresource, verbs, why } of permissions) {
    const name = subresource === undefined ? resource : `${resource}/${subresource}`;
    const before = rules.get(`${group} ${name}`);
    rules.set(`${group} ${name}`, {
      apiGroups: [group],
      resources: [name],
      verbs: [...new Set([...(before?.verbs ?? []), ...verbs])].toSorted(),
      why: [...new Set([...(before?.why ?? []), why])],
    });
  }
  return [...rules.values()];
}

/** The role as a YAML file, with the reason of each rule. */
export function roleText(role: DeployedRole): string {
  const rules = rulesOf(role).flatMap(({ apiGroups: [group], resources: [resource], verbs, why }) => [
    `  # ${why.join('; ')}`,
    `  - apiGroups: ['${group}']`,
    `    resources: [${resource}]`,
    `    verbs: [${verbs.join(', ')}]`,
  ]);
  const namespace = role.kind === 'Role' ? [`  namespace: ${LABS_NAMESPACE}`] : [];
  return [
    '# Made by `npm run roles` from src/lab/kubernetes/permissions.ts; do not edit.',
    ...role.about.map((line) => `# ${line}`),
    'apiVersion: rbac.authorization.k8s.io/v1',
    `kind: ${role.kind}`,
    'metadata:',
    `  name: ${role.name}`,
    ...namespace,
    'rules:',
    ...rules,
    '',
  ].join('\n');
}
