/** Where everything of one experiment is kept: a folder, or (later) an S3 prefix. Written once, read back by hash (design §10). */
export interface Store {
  readonly location: string;
  /** Puts unless present. Same content again is fine; another content under the same name is an error. Returns after reading back by hash. */
  put(path: string, content: Buffer | string): Promise<StoredFile>;
  get(path: string): Promise<Buffer>;
  has(path: string): Promise<boolean>;
  list(prefix: string): Promise<readonly string[]>;
  /** Rendered files (report, CSV, manifest) may be rendered anew: replaces atomically. */
  replace(path: string, content: Buffer | string): Promise<StoredFile>;
}

export interface StoredFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}
