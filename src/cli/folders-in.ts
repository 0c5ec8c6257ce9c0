import { readdirSync } from 'node:fs';

/** Names of the folders in a place; none when it is not there or may not be read. Links are no folders. */
export function foldersIn(place: string): string[] {
  try {
    return readdirSync(place, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  } catch {
    return [];
  }
}
