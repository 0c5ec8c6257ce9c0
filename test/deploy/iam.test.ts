import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { volumeTags } from '../../src/lab/kubernetes/objects/around-pods.ts';
import { IDS } from '../lab/kubernetes/objects/support.ts';
import { DEPLOY, manifestsOf } from './manifests.ts';

const SRC = join(import.meta.dirname, '../../src');

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: string;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The right behind each request (service authorization reference; of S3, "actions, resources and condition keys"). */
const RIGHTS: Readonly<Record<string, string>> = {
  GetMetricData: 'cloudwatch:GetMetricData',
  DescribeInstances: 'ec2:DescribeInstances',
  DescribeVolumes: 'ec2:DescribeVolumes',
  DeleteVolume: 'ec2:DeleteVolume',
  GetProducts: 'pricing:GetProducts',
  GetObject: 's3:GetObject',
  HeadObject: 's3:GetObject',
  ListObjectsV2: 's3:ListBucket',
  PutObject: 's3:PutObject',
  CreateMultipartUpload: 's3:PutObject',
  UploadPart: 's3:PutObject',
  CompleteMultipartUpload: 's3:PutObject',
  ListParts: 's3:ListMultipartUploadParts',
  ListMultipartUploads: 's3:ListBucketMultipartUploads',
};

/** What the janitor does and nobody else. */
const ONLY_JANITOR = ['ec2:DeleteVolume'];

function statements(file: string): readonly Statement[] {
  const policy = JSON.parse(readFileSync(join(DEPLOY, 'iam', file), 'utf8')) as {
    Version: string;
    Statement: readonly Statement[];
  };
  expect(policy.Version).toBe('2012-10-17');
  return policy.Statement;
}

const actions = (file: string): string[] => statements(file).flatMap(({ Action }) => Action);

/** Every request that the source sends by a client of AWS. */
function requests(): string[] {
  const files = ['aws', 'store'].flatMap((room) =>
    readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' }).map((file) => join(SRC, room, file)),
  );
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/new (\w+)Command\(/g)])
    .flatMap(([, name]) => name ?? []);
}

describe('the policies of AWS', () => {
  it('allow what the source asks of AWS, and nothing else', () => {
    const asked = requests().map((name) => RIGHTS[name] ?? `no right is known for ${name}`);
    const allowed = [...actions('worker-policy.json'), ...actions('janitor-policy.json')];
    expect([...new Set(allowed)].toSorted()).toEqual([...new Set(asked)].toSorted());
  });

  it('let the worker delete nothing', () => {
    expect(actions('worker-policy.json').filter((action) => /Delete|Create|\*/.test(action))).toEqual([]);
    for (const action of ONLY_JANITOR) expect(actions('janitor-policy.json')).toContain(action);
  });

  it('let the janitor delete only volumes that carry the tag that our storage classes set', () => {
    const [deletes] = statements('janitor-policy.json').filter(({ Action }) => Action === 'ec2:DeleteVolume');
    const [key = '', value] = Object.entries(deletes?.Condition?.['StringLike'] ?? {})[0] ?? [];
    expect(value).toBe('?*');
    expect(key.replace('aws:ResourceTag/', '')).toBeOneOf(Object.keys(volumeTags(IDS)));
  });

  it('keep objects and bucket apart, as S3 has it', () => {
    for (const { Action, Resource = '' } of statements('worker-policy.json'))
      for (const action of [Action].flat().filter((one) => one.startsWith('s3:')))
        expect(Resource.endsWith('/*')).toBe(!action.startsWith('s3:ListBucket'));
  });

  it('say all rights that docs/aws.md says of the bucket', () => {
    const page = readFileSync(join(DEPLOY, '../docs/aws.md'), 'utf8');
    const said = page.split('Rights:')[1]?.match(/s3:\w+/g) ?? [];
    const granted = actions('worker-policy.json').filter((action) => action.startsWith('s3:'));
    expect(granted.toSorted()).toEqual([...new Set(said)].toSorted());
  });

  it('can be assumed by accounts of this namespace only', () => {
    const [account] = manifestsOf('ServiceAccount');
    const namespace = account?.json.metadata.namespace;
    const [pod] = statements('trust-pod-identity.json');
    expect(pod?.Condition?.['StringEquals']).toMatchObject({
      'aws:RequestTag/kubernetes-namespace': namespace,
    });
    const [irsa] = statements('trust-irsa.json');
    expect(JSON.stringify(irsa?.Condition)).toContain(`system:serviceaccount:${namespace}:SERVICE_ACCOUNT`);
  });
});
