import { StoreError } from './errors.ts';

/** Files that are being written carry this prefix until they get their name; they are no part of the store. */
export const TEMP_PREFIX = '.assay-tmp-';

/** The longest name of one path segment that common file systems take, in bytes. */
const MAX_SEGMENT_BYTES = 255;

/**
 * Returns the path if it is a plain relative path of a store (`trials/b1/batch=64KiB/a1/trial.json`).
 * @throws StoreError bad-path for absolute paths, `..`, empty segments, backslashes and control characters.
 */
export function checkStorePath(path: string, location: string): string {
  const problem = pathProblem(path);
  if (problem === null) return path;
  throw new StoreError(
    'bad-path',
    { path: JSON.stringify(path), location },
    problem,
    'A name in a store is a relative path such as trials/b1/baseline/a1/trial.json',
  );
}

function pathProblem(path: string): string | null {
  if (path === '') return 'the name is empty';
  if (path.startsWith('/')) return 'the name is an absolute path';
  if (/[\p{Cc}\\]/u.test(path)) return 'the name holds a control character or a backslash';
  for (const segment of path.split('/')) {
    if (segment === '') return 'the name has an empty part';
    if (segment === '.' || segment === '..')
      return `the name has the part "${segment}", which could leave the store`;
    if (segment.startsWith(TEMP_PREFIX))
      return `names that begin with ${TEMP_PREFIX} are kept for unfinished files`;
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
      return `a part of the name is longer than ${MAX_SEGMENT_BYTES} bytes`;
  }
  return null;
}
