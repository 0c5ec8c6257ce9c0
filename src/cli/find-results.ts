import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { slug } from '../design/names.ts';
import { resolveHome } from '../lab/home.ts';
import { isS3Location } from '../store/s3-location.ts';
import { suggestion } from '../spec/did-you-mean.ts';
import { visible } from '../spec/visible.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';
import { type ResultFolder, resultFolders } from './result-folders.ts';

/**
 * The results that the user means: a path, s3://bucket/prefix, an experiment key, or a workflow id (its newest
 * experiment). The store of this home is looked through first; only then a Temporal that runs is asked where they lie.
 *
 * @returns absolute path of a folder with a plan, or a location of S3, which nobody has looked at.
 * @throws CommandFailure when nothing fits, exit code 2.
 */
export async function findResults(context: Context, named: string): Promise<string> {
  if (isS3Location(named)) return named;
  const path = resolve(named);
  const isFolder = named !== '' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder && existsSync(join(path, 'plan.json'))) return path;
  const known = resultFolders(resolveHome(context.env));
  const kept =
    known.find(({ key, folder }) => key === named || basename(folder) === named) ?? newestOf(known, named);
  if (kept !== undefined) return kept.folder;
  const told = await askTemporal(context, named);
  if (told !== null) return told;
  const running = known.find((found) => isUnfinishedOf(found, named));
  if (running !== undefined) return running.folder;
  throw notFound(
    named,
    isFolder,
    known.flatMap(({ key, workflowId }) => workflowId ?? key),
  );
}

/**
 * As findResults, but any folder that is named is taken as it is: whoever checks results must meet damaged ones.
 *
 * @throws CommandFailure when there is neither, exit code 2.
 */
export async function folderNamed(context: Context, named: string): Promise<string> {
  const isThere = named !== '' && statSync(resolve(named), { throwIfNoEntry: false }) !== undefined;
  return isThere ? named : await findResults(context, named);
}

function newestOf(known: readonly ResultFolder[], workflowId: string): ResultFolder | undefined {
  return known
    .filter((found) => found.workflowId === workflowId)
    .toSorted((a, b) => (b.startedAt ?? '').localeCompare(a.startedAt ?? ''))[0];
}

/** An experiment that runs has not written its id yet; its key begins with it. */
function isUnfinishedOf(found: ResultFolder, workflowId: string): boolean {
  return found.workflowId === null && found.key.slice(0, -9) === slug(workflowId, 32);
}

/** null when no Temporal answers soon, or knows of no folder that can be seen from here. */
async function askTemporal(context: Context, workflowId: string): Promise<string | null> {
  const { openQuietly } = await import('./open-quietly.ts');
  const open = workflowId === '' ? null : await openQuietly(context.env);
  if (open === null || 'why' in open) return null;
  try {
    const { folderOf } = await import('./experiments.ts');
    const folder = await folderOf(open.client, workflowId);
    return folder !== null && (isS3Location(folder) || existsSync(join(folder, 'plan.json'))) ? folder : null;
  } finally {
    await open.close();
  }
}

function notFound(named: string, isFolder: boolean, known: readonly string[]): CommandFailure {
  const what = isFolder
    ? `${named} is a folder without a plan.json, so it holds no results of an experiment.`
    : `"${visible(named)}" is neither a results folder nor an experiment that is known here.`;
  const near = suggestion(named, [...new Set(known)]);
  return new CommandFailure(EXIT.usage, `${what} ${near}${near === '' ? '' : ' '}\`assay ls\` lists them.`);
}
