/** A bucket and what the keys of a store in it begin with; the prefix has no slash at either end and may be empty. */
export interface S3Location {
  readonly bucket: string;
  readonly prefix: string;
}

const SCHEME = 's3://';
/** Names that S3 allows, so that a slip shows before AWS is asked. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Whether a location names a bucket, well or badly, and not a folder. */
export function isS3Location(location: string): boolean {
  return location.startsWith(SCHEME);
}

/** `s3://bucket/a/b/` → bucket and `a/b`; null when it is no such location. */
export function parseS3Location(location: string): S3Location | null {
  if (!isS3Location(location)) return null;
  const [bucket = '', ...parts] = location.slice(SCHEME.length).split('/');
  const segments = parts.filter((part) => part !== '');
  if (!BUCKET.test(bucket) || segments.includes('.') || segments.includes('..')) return null;
  return { bucket, prefix: segments.join('/') };
}

/** As it is shown and stored: `s3://bucket/prefix`. */
export function s3LocationText({ bucket, prefix }: S3Location): string {
  return prefix === '' ? `${SCHEME}${bucket}` : `${SCHEME}${bucket}/${prefix}`;
}
