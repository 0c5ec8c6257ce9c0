import { S3Client } from '@aws-sdk/client-s3';
import { CLIENT_SETTINGS, renewable } from '../aws/clients.ts';
import { AwsError } from '../aws/errors.ts';
import { type Patience, patiently } from '../aws/patience.ts';
import { StoreError, type StoreErrorCode } from './errors.ts';

/** Requests to the bucket of a store, tried again while that may help. */
export interface S3Access {
  readonly bucket: string;
  /** @throws AwsError */
  ask<T>(operation: string, call: (client: S3Client) => Promise<T>): Promise<T>;
}

/** Below what an activity may take for one file: what S3 does not take then goes to the second place. */
const STORE_PATIENCE: Patience = { limitMs: 60_000, credentialsLimitMs: 60_000 };
/** While S3 is down, each further file waits this long only, or an experiment would stand still. */
const SHORT_PATIENCE: Patience = { limitMs: 1_000, credentialsLimitMs: 0 };
const DOWN_FOR_MS = 120_000;

/**
 * Region, endpoint, credentials and path style come from the environment: AWS_REGION, AWS_ENDPOINT_URL_S3,
 * AWS_PROFILE …, ASSAY_S3_PATH_STYLE. A bucket in another region is found by S3's own redirect.
 */
export function s3Access(
  bucket: string,
  env: NodeJS.ProcessEnv,
  patience: Patience = STORE_PATIENCE,
): S3Access {
  const client = renewable(() => new S3Client(settingsOf(env)));
  let downUntilMs = 0;
  return {
    bucket,
    async ask(operation, call) {
      const short = performance.now() < downUntilMs ? SHORT_PATIENCE : {};
      try {
        const answer = await patiently(
          { service: 'S3', operation },
          () => call(client.get()),
          { ...patience, ...short },
          client.renew,
        );
        downUntilMs = 0;
        return answer;
      } catch (error) {
        if (error instanceof AwsError && isDown(error)) downUntilMs = performance.now() + DOWN_FOR_MS;
        throw error;
      }
    },
  };
}

function settingsOf(env: NodeJS.ProcessEnv) {
  const endpoint = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'];
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  // Names like bucket.localhost seldom resolve; who serves S3 himself is asked by path.
  const pathStyle = env['ASSAY_S3_PATH_STYLE'] ?? String(endpoint !== undefined);
  return {
    ...CLIENT_SETTINGS,
    followRegionRedirects: true,
    forcePathStyle: pathStyle === 'true' || pathStyle === '1',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
  };
}

function isDown({ code }: AwsError): boolean {
  return ['throttled', 'server', 'unreachable', 'expired-credentials', 'no-credentials'].includes(code);
}

/** Whether S3 said that there is no such object, upload or bucket. */
export function isNotFound(error: unknown): boolean {
  return error instanceof AwsError && error.code === 'not-found';
}

interface Cause {
  readonly code: StoreErrorCode;
  readonly why: string;
  readonly fix: string;
}

const BY_AWS_CODE: readonly (readonly [RegExp, Cause])[] = [
  [
    /^NoSuchBucket$/,
    { code: 'missing', why: 'there is no such bucket', fix: 'Check its name and the account, or create it' },
  ],
  [
    /Quota|EntityTooLarge|StorageFull|InsufficientStorage/,
    {
      code: 'full',
      why: 'the bucket takes no more',
      fix: 'Free some space or raise the quota and try again',
    },
  ],
  [
    /Digest|Checksum/i,
    {
      code: 'corrupt',
      why: 'what arrived is not what was sent',
      fix: 'Check the network between the worker and S3, then try again',
    },
  ],
];

const NO_REGION: Cause = {
  code: 'io',
  why: 'no AWS region is configured',
  fix: 'Set AWS_REGION, or a region in the profile of AWS_PROFILE',
};
const UNREACHABLE: Cause = {
  code: 'unreachable',
  why: 'S3 does not answer',
  fix: 'Check the network, the region and AWS_ENDPOINT_URL_S3, then try again',
};
const CREDENTIALS: Cause = {
  code: 'credentials',
  why: 'AWS does not accept the credentials',
  fix: 'Renew them, or give the worker a role or AWS_PROFILE',
};
const BY_CODE: Readonly<Partial<Record<AwsError['code'], Cause>>> = {
  throttled: UNREACHABLE,
  server: UNREACHABLE,
  unreachable: UNREACHABLE,
  'expired-credentials': CREDENTIALS,
  'no-credentials': CREDENTIALS,
  denied: {
    code: 'denied',
    why: 'access denied',
    fix: 'Give the worker s3:GetObject, s3:PutObject, s3:ListBucket and the rights for multipart uploads (deploy/)',
  },
  'not-found': {
    code: 'missing',
    why: 'there is no such file',
    fix: 'Check the location of the results',
  },
};

/** An error of S3 in the words of the store; a StoreError passes through unchanged. */
export function asS3StoreError(error: unknown, at: { path: string; location: string }): StoreError {
  if (error instanceof StoreError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const named = error instanceof AwsError ? `${error.awsCode} ${text}` : text;
  const cause =
    BY_AWS_CODE.find(([pattern]) => pattern.test(error instanceof AwsError ? error.awsCode : ''))?.[1] ??
    (/region is missing/i.test(text) ? NO_REGION : undefined) ??
    (/checksum mismatch/i.test(named) ? BY_AWS_CODE[2]?.[1] : undefined) ??
    (error instanceof AwsError ? BY_CODE[error.code] : undefined);
  if (cause === undefined)
    return new StoreError('io', at, text.replace(/\.$/, ''), 'Look at the message of S3', { cause: error });
  const said = error instanceof AwsError && error.awsCode !== '' ? ` (${error.awsCode})` : '';
  return new StoreError(cause.code, at, `${cause.why}${said}`, cause.fix, { cause: error });
}
