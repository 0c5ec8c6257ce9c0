import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createFolderStore } from '../store/folder-store.ts';
import type { Store } from '../store/store.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';
import type { Terminal } from './terminal.ts';

/**
 * The store in a results folder.
 *
 * @throws CommandFailure when there is no such folder.
 */
export function openResults(dir: string): Store {
  const folder = resolve(dir);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return createFolderStore(folder);
  if (found !== undefined)
    throw new CommandFailure(EXIT.usage, `${dir}: it is a file. Name the folder of an experiment's results.`);
  throw new CommandFailure(
    EXIT.usage,
    `${dir}: there is no such folder. Name the folder of an experiment's results.`,
  );
}

/** Renders the report anew from the store alone; returns the path of the HTML file. */
export async function renderResults(dir: string): Promise<string> {
  const { renderAgain } = await import('../report/write-report.ts');
  await renderAgain(openResults(dir));
  return join(resolve(dir), 'report.html');
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
