import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { locationBelow, openStoreAt } from '../store/open-store.ts';
import { isS3Location, parseS3Location } from '../store/s3-location.ts';
import type { Store } from '../store/store.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';
import type { Terminal } from './terminal.ts';

/**
 * The store in a results folder, or at s3://bucket/prefix.
 *
 * @throws CommandFailure when there is no such folder, or this names no place of S3.
 */
export function openResults(dir: string): Store {
  if (isS3Location(dir)) {
    if (parseS3Location(dir) !== null) return openStoreAt(dir);
    throw new CommandFailure(EXIT.usage, `${dir}: expected s3://bucket/prefix, the place of one experiment.`);
  }
  const folder = resolve(dir);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return openStoreAt(folder);
  if (found !== undefined)
    throw new CommandFailure(EXIT.usage, `${dir}: it is a file. Name the folder of an experiment's results.`);
  throw new CommandFailure(
    EXIT.usage,
    `${dir}: there is no such folder. Name the folder of an experiment's results.`,
  );
}

/** Renders the report anew from the store alone; returns the location of the HTML file. */
export async function renderResults(dir: string): Promise<string> {
  const { renderAgain } = await import('../report/write-report.ts');
  const store = openResults(dir);
  await renderAgain(store);
  return locationBelow(store.location, 'report.html');
}

/** The report for the terminal. */
export async function terminalReport(dir: string, terminal: Terminal): Promise<string> {
  const { loadResults } = await import('../report/results.ts');
  const { reportModel } = await import('../report/model.ts');
  const { terminalSummary } = await import('../report/terminal.ts');
  const model = reportModel(await loadResults(openResults(dir)));
  const text = terminalSummary(model, { width: terminal.columns(), color: terminal.colour, folder: dir });
  return text.endsWith('\n') ? text : `${text}\n`;
}
