import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';
import { NOT_A_MEASUREMENT } from '../design/smoke.ts';
import { EXIT } from './exit-codes.ts';
import type { Store } from '../store/store.ts';

/** `assay verify RESULTS`: is every byte as it was exported, and does every number follow from the raw files? */
export function addVerify(program: Command, context: Context): void {
  program
    .command('verify')
    .description('check a results folder: its hashes, and every number derived again from the raw files')
    .argument('<results>', 'results folder, s3://bucket/prefix, experiment key, or workflow id')
    .action(async (named) => {
      const { folderNamed } = await import('./find-results.ts');
      const { openResults } = await import('./results-folder.ts');
      const store = openResults(await folderNamed(context, named));
      const hashes = await verifyHashes(context, store);
      const numbers = await verifyNumbers(context, store);
      if (hashes && numbers) return;
      context.exitWith(EXIT.infrastructure);
    });
}

async function verifyHashes({ terminal }: Context, store: Store): Promise<boolean> {
  const { verify } = await import('../store/manifest.ts');
  const { bytesText } = await import('./words.ts');
  const { problems, good, bytes, manifestSha256 } = await verify(store);
  for (const { kind, path, message } of problems) terminal.data(`${kind}  ${path}  ${message}\n`);
  if (problems.length === 0) {
    terminal.data(`ok  ${good} files, ${bytesText(bytes)}, manifest sha256 ${manifestSha256}\n`);
    return true;
  }
  const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
  terminal.say(`${count}: this folder is not what was exported.`);
  return false;
}

async function verifyNumbers({ terminal }: Context, store: Store): Promise<boolean> {
  const { deriveAgain } = await import('../report/verify/derive-again.ts');
  const { StoreError } = await import('../store/errors.ts');
  const { plainText } = await import('../report/text.ts');
  const again = await deriveAgain(store).catch((error: unknown) => {
    if (error instanceof StoreError) return error;
    throw error;
  });
  if (again instanceof StoreError) {
    terminal.data(`not derived  ${plainText(again.message)}\n`);
    terminal.say('The numbers could not be derived again.');
    return false;
  }
  for (const { path, where, stored, derived } of again.differences) {
    const place = where === '' ? path : `${path}  ${where}`;
    terminal.data(`differs  ${plainText(`${place}  stored ${stored}, derived ${derived}`)}\n`);
  }
  const numbers = again.numbers.toLocaleString('en-US');
  const all = again.differences.length === 0;
  const found = all ? 'all as stored' : `${again.differences.length} differ`;
  terminal.data(`${all ? 'ok  ' : ''}${numbers} numbers derived again from the raw files, ${found}\n`);
  if (again.rehearsal)
    terminal.data(
      `${NOT_A_MEASUREMENT}  a rehearsal at a tiny scale (--smoke): its numbers follow from its files, and mean nothing\n`,
    );
  for (const text of again.onRecord) terminal.data(`on record  ${text}\n`);
  if (!all) terminal.say('What differs does not follow from the raw files of this folder.');
  return all;
}
