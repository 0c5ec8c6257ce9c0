/** What went wrong at AWS, for code that decides; the message is for people. */
export type AwsErrorCode =
  /** Asked too often; waiting mends it. */
  | 'throttled'
  /** Their fault (5xx, an answer that is no answer); waiting may mend it. */
  | 'server'
  /** No connection, or one that broke or stayed silent. */
  | 'unreachable'
  /** The credentials were good once. */
  | 'expired-credentials'
  /** There are none, or AWS does not know them. */
  | 'no-credentials'
  | 'denied'
  | 'not-found'
  /** The request itself is wrong: our bug, or a malformed id or region. */
  | 'invalid'
  | 'other';

/** What was asked of which service. */
export interface AwsRequest {
  /** `EC2`, `CloudWatch`, `S3`, `Pricing`. */
  readonly service: string;
  /** `DescribeVolumes`. */
  readonly operation: string;
}

/** A request to AWS that failed: what, where, why, what to do. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: AwsErrorCode;
  readonly request: AwsRequest;
  /** AWS's own name of the error, `InvalidVolume.NotFound`; empty when there is none. */
  readonly awsCode: string;
  readonly fix: string;

  constructor(code: AwsErrorCode, request: AwsRequest, awsCode: string, why: string, options?: ErrorOptions) {
    const fix = FIXES[code];
    super(`${request.service} ${request.operation}: ${why}. ${fix}`, options);
    this.code = code;
    this.request = request;
    this.awsCode = awsCode;
    this.fix = fix;
  }
}

const FIXES: Readonly<Record<AwsErrorCode, string>> = {
  throttled: 'Other programs of this account ask too; try again later',
  server: 'Try again later; the AWS status page may know more',
  unreachable: 'Check the network, the region and AWS_ENDPOINT_URL',
  'expired-credentials':
    'Renew the AWS credentials of the worker (aws sso login, or its role); it looks for new ones by itself',
  'no-credentials': 'Give the worker AWS credentials (a role, AWS_PROFILE, or AWS_ACCESS_KEY_ID)',
  denied: 'Give the worker the rights that deploy/ lists, for this region',
  'not-found': 'Check the name and the region',
  invalid: 'Check region and ids; this may be a mistake in Assay',
  other: 'Look at the message of AWS',
};

const BY_NAME: readonly (readonly [RegExp, AwsErrorCode])[] = [
  [
    /^(Throttl|RequestLimitExceeded|SlowDown|TooManyRequests|Client\.RequestLimitExceeded|RequestThrottled|BandwidthLimitExceeded|LimitExceededException$)/,
    'throttled',
  ],
  [/^(ExpiredToken|RequestExpired|ExpiredCredentials|TokenRefreshRequired)/, 'expired-credentials'],
  [
    /^(CredentialsProviderError|TokenProviderError|InvalidClientTokenId|UnrecognizedClient|InvalidAccessKeyId|AuthFailure|MissingAuthenticationToken|SignatureDoesNotMatch|InvalidSignature|IncompleteSignature)/,
    'no-credentials',
  ],
  [
    /^(AccessDenied|UnauthorizedOperation|NotAuthorized|AllAccessDisabled|Forbidden$|OptInRequired)/,
    'denied',
  ],
  [
    /^(InternalError|InternalFailure|InternalService|InternalServer|ServiceUnavailable|Unavailable$|SyntaxError$|ConditionalRequestConflict|OperationAborted)/,
    'server',
  ],
  [/^(TimeoutError|RequestTimeout$|RequestTimeoutException|NetworkingError)/, 'unreachable'],
  [/(\.NotFound$|^NotFound$|^NoSuch|^ResourceNotFound)/, 'not-found'],
  [
    /^(Invalid|Malformed|Missing|Validation|UnknownParameter|UnsupportedOperation|PermanentRedirect)/,
    'invalid',
  ],
];

const NETWORK: readonly string[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
];

/** Translates whatever the SDK threw; an AwsError passes through, and so does the end of a cancelled call. */
export function asAwsError(error: unknown, request: AwsRequest): Error {
  if (error instanceof AwsError) return error;
  if (error instanceof Error && error.name === 'AbortError') return error;
  const { name, text, status } = factsOf(error);
  const code = codeOf(error, name, status);
  const said =
    text
      .split('\n')[0]
      ?.slice(0, 300)
      .replace(/[.\s]+$/, '') ?? '';
  const why = whyOf(code, name, said, status);
  return new AwsError(code, request, name, why, { cause: error });
}

function whyOf(code: AwsErrorCode, name: string, said: string, status: number | null): string {
  if (code === 'expired-credentials') return `the credentials have expired (${said})`;
  // A web server that has crashed answers in HTML, which the SDK tells as a slip of syntax.
  return name === 'SyntaxError' ? `its answer is none of AWS (HTTP ${status ?? '?'})` : `${name}: ${said}`;
}

function codeOf(error: unknown, name: string, status: number | null): AwsErrorCode {
  if (isNetwork(error)) return 'unreachable';
  // The SDK gives up on credentials that it holds but that are too old under the name of having none.
  if (name === 'CredentialsProviderError' && /expired|refresh/i.test(String(error)))
    return 'expired-credentials';
  const named = BY_NAME.find(([pattern]) => pattern.test(name));
  if (named !== undefined) return named[1];
  if (status === 429) return 'throttled';
  if (status !== null && status >= 500) return 'server';
  if (status === 401 || status === 403) return 'denied';
  if (status === 404) return 'not-found';
  return status === 400 ? 'invalid' : isClockSkew(error) ? 'server' : 'other';
}

function factsOf(error: unknown): { name: string; text: string; status: number | null } {
  if (!(error instanceof Error)) return { name: '', text: String(error), status: null };
  const shape = error as Error & {
    Code?: unknown;
    $metadata?: { httpStatusCode?: number };
    $response?: { statusCode?: number };
  };
  const name = typeof shape.Code === 'string' ? shape.Code : error.name;
  const status = shape.$response?.statusCode ?? shape.$metadata?.httpStatusCode ?? null;
  return { name, text: error.message === '' ? name : error.message, status };
}

function isNetwork(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' && NETWORK.includes(code);
}

function isClockSkew(error: unknown): boolean {
  return error instanceof Error && /TimeTooSkewed|clock skew/i.test(`${error.name} ${error.message}`);
}
