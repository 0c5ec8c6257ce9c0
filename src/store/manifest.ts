import { z } from 'zod';
import { StoreError } from './errors.ts';
import { sha256 } from './folder-store.ts';
import type { Store, StoredFile } from './store.ts';

export const MANIFEST = 'manifest.json';
/** Holds the manifest's own hash, in the form that `sha256sum -c` reads. */
export const MANIFEST_HASH = 'manifest.sha256';

const manifestSchema = z.object({
  format: z.literal(1),
  files: z.array(z.object({ path: z.string(), sha256: z.string(), bytes: z.number() })),
});

/** Every file of a store with its hash, by path; the two manifest files themselves are not in it. */
export type Manifest = z.infer<typeof manifestSchema>;

export interface Problem {
  readonly kind: 'no-manifest' | 'manifest-altered' | 'missing' | 'altered' | 'extra' | 'unreadable';
  readonly path: string;
  /** One plain sentence. */
  readonly message: string;
}

export interface Verification {
  readonly problems: readonly Problem[];
  /** Files that are as the manifest says. */
  readonly good: number;
  readonly bytes: number;
  /** To compare with a hash kept elsewhere: who can write the folder can write both manifest files. */
  readonly manifestSha256: string | null;
}

/**
 * Writes `manifest.json` over all files of the store, and its hash beside it. Files named in `rendered` may
 * have changed since the last manifest; any other change would be hidden by a new manifest, so it is refused.
 * @throws StoreError corrupt when a file that is written once has been altered or is missing.
 */
export async function writeManifest(store: Store, rendered: readonly string[]): Promise<StoredFile> {
  const files: StoredFile[] = [];
  for (const path of await store.list('')) {
    if (path !== MANIFEST && path !== MANIFEST_HASH) files.push(await describe(store, path));
  }
  await refuseToHideChanges(store, files, rendered);
  const text = `${JSON.stringify({ format: 1, files } satisfies Manifest, null, 1)}\n`;
  const written = await store.replace(MANIFEST, text);
  await store.replace(MANIFEST_HASH, `${written.sha256}  ${MANIFEST}\n`);
  return written;
}

/**
 * Compares a store with its manifest: missing, altered and extra files, each named, and the manifest's own
 * hash. `assay verify DIR` prints the problems; an empty list means that every byte is as it was exported.
 */
export async function verify(store: Store): Promise<Verification> {
  if (!(await store.has(MANIFEST))) {
    const message =
      'there is no manifest: the experiment has not been exported, or this is not a results folder';
    return {
      problems: [{ kind: 'no-manifest', path: MANIFEST, message }],
      good: 0,
      bytes: 0,
      manifestSha256: null,
    };
  }
  const content = await store.get(MANIFEST);
  const problems = [...(await manifestProblems(store, sha256(content)))];
  const manifest = parseManifest(content);
  if (manifest === null) {
    const message = 'it is not a manifest of format 1 (a newer Assay may have written it)';
    problems.push({ kind: 'manifest-altered', path: MANIFEST, message });
    return { problems, good: 0, bytes: 0, manifestSha256: sha256(content) };
  }
  const present = new Set(await store.list(''));
  let bytes = 0;
  for (const file of manifest.files) {
    const problem = present.delete(file.path) ? await fileProblem(store, file) : missing(file.path);
    if (problem === null) bytes += file.bytes;
    else problems.push(problem);
  }
  const good =
    manifest.files.length - problems.filter((p) => p.path !== MANIFEST && p.path !== MANIFEST_HASH).length;
  for (const path of present) {
    if (path === MANIFEST || path === MANIFEST_HASH) continue;
    problems.push({
      kind: 'extra',
      path,
      message: 'it is not in the manifest: it was added after the export',
    });
  }
  return { problems, good, bytes, manifestSha256: sha256(content) };
}

async function manifestProblems(store: Store, actual: string): Promise<readonly Problem[]> {
  if (!(await store.has(MANIFEST_HASH))) {
    return [{ kind: 'missing', path: MANIFEST_HASH, message: "the manifest's own hash is missing" }];
  }
  const expected = (await store.get(MANIFEST_HASH)).toString('utf8').slice(0, 64);
  if (expected === actual) return [];
  return [
    {
      kind: 'manifest-altered',
      path: MANIFEST,
      message: `its sha256 is ${actual}, ${MANIFEST_HASH} says ${expected}`,
    },
  ];
}

async function fileProblem(store: Store, file: StoredFile): Promise<Problem | null> {
  try {
    const actual = await describe(store, file.path);
    if (actual.sha256 === file.sha256) return null;
    const message = `its content changed: ${actual.bytes} bytes with sha256 ${actual.sha256.slice(0, 12)}…, the manifest says ${file.bytes} bytes with ${file.sha256.slice(0, 12)}…`;
    return { kind: 'altered', path: file.path, message };
  } catch (error) {
    const why = error instanceof StoreError ? error.message : String(error);
    return { kind: 'unreadable', path: file.path, message: `it cannot be read: ${why}` };
  }
}

function missing(path: string): Problem {
  return { kind: 'missing', path, message: 'it is in the manifest but no longer in the folder' };
}

async function describe(store: Store, path: string): Promise<StoredFile> {
  const content = await store.get(path);
  return { path, sha256: sha256(content), bytes: content.length };
}

function parseManifest(content: Buffer): Manifest | null {
  try {
    return manifestSchema.safeParse(JSON.parse(content.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}

async function refuseToHideChanges(
  store: Store,
  files: readonly StoredFile[],
  rendered: readonly string[],
): Promise<void> {
  const old = (await store.has(MANIFEST)) ? parseManifest(await store.get(MANIFEST)) : null;
  const now = new Map(files.map((file) => [file.path, file.sha256]));
  for (const file of old?.files ?? []) {
    if (rendered.includes(file.path) || now.get(file.path) === file.sha256) continue;
    const why = now.has(file.path) ? 'it was altered after the export' : 'it was removed after the export';
    const fix =
      'A new manifest would hide that, so none was written: run `assay verify` to see every change, and restore the files from a copy';
    throw new StoreError('corrupt', { path: file.path, location: store.location }, why, fix);
  }
}
