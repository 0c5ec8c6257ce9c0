import { BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { awsEnvironment } from '../../aws/support/moto.ts';
import { POD_API } from './run.ts';
import { BUCKET, REGION } from './spec-file.ts';
import { useEc2 } from './volumes.ts';

/** Where the emulated AWS listens: pods reach it too. */
export const CLOUD = { host: POD_API.address, port: 5000 } as const;

/**
 * Opens the AWS of this cluster to a file of tests: by the environment, with the bucket of the fixture, and for the driver of
 * volumes. There is one for all files, since the node's providerID names an instance in it for the life of the cluster.
 *
 * @returns its address.
 */
export async function openCloud(): Promise<string> {
  const url = `http://${CLOUD.host}:${CLOUD.port}`;
  Object.assign(process.env, awsEnvironment(url));
  const CreateBucketConfiguration = { LocationConstraint: REGION } as const;
  try {
    await new S3Client({ forcePathStyle: true }).send(
      new CreateBucketCommand({ Bucket: BUCKET, CreateBucketConfiguration }),
    );
  } catch (error) {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
  }
  useEc2(url);
  return url;
}
