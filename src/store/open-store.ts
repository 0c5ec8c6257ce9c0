import { join } from 'node:path';
import { createFolderStore } from './folder-store.ts';
import { isS3Location, parseS3Location, s3LocationText } from './s3-location.ts';
import type { Store } from './store.ts';

/** A location below another: `/results` or `s3://bucket/prefix`, and `codec-1a2b` or `trials/b1`. */
export function locationBelow(location: string, name: string): string {
  return isS3Location(location) ? `${location.replace(/\/+$/, '')}/${name}` : join(location, name);
}

/**
 * The store at a location: the path of a folder, or `s3://bucket/prefix`. Nothing is opened before it is used, and what
 * talks to S3 is loaded only then.
 */
export function openStoreAt(location: string): Store {
  if (!isS3Location(location)) return createFolderStore(location);
  const parsed = parseS3Location(location);
  let opened: Promise<Store> | undefined;
  const s3 = () => (opened ??= import('./s3-store.ts').then((module) => module.createS3Store(location)));
  return {
    location: parsed === null ? location : s3LocationText(parsed),
    put: async (path, content) => (await s3()).put(path, content),
    replace: async (path, content) => (await s3()).replace(path, content),
    get: async (path) => (await s3()).get(path),
    has: async (path) => (await s3()).has(path),
    list: async (prefix) => (await s3()).list(prefix),
  };
}
