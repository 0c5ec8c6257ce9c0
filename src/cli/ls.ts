import { type Command, Option } from '@commander-js/extra-typings';
import { resolveHome } from '../lab/home.ts';
import type { Context } from './context.ts';

/** As many as fit a screen. */
const LAST = 20;

/** `assay ls`: every experiment that the server or the store of this home knows. */
export function addLs(program: Command, context: Context): void {
  program
    .command('ls')
    .description('list experiments, newest first: those that Temporal knows and the results of this home')
    .option('-a, --all', `all of them, not only the last ${LAST}`)
    .addOption(new Option('--json', 'print them as JSON'))
    .action(async (options) => {
      const { readResultFolder, resultFolders } = await import('./result-folders.ts');
      const { knownExperiments, knownText } = await import('./known-experiments.ts');
      const folders = resultFolders(resolveHome(context.env));
      const limit = options.all ? Number.POSITIVE_INFINITY : LAST;
      const { listed, silence } = await askServer(context, limit, new Set(folders.map(({ key }) => key)));
      // Results that a spec put elsewhere, where that can be seen from here.
      const elsewhere = listed.flatMap(({ folder, key }) =>
        folder === null ? [] : (readResultFolder(folder, key ?? '') ?? []),
      );
      const all = knownExperiments(listed, [...folders, ...elsewhere]);
      const shown = all.slice(0, limit);
      if (silence !== null) context.terminal.say(`Only the folders of this home: ${silence}`);
      if (options.json) context.terminal.data(`${JSON.stringify(shown, null, 1)}\n`);
      else if (shown.length === 0) context.terminal.say('No experiments yet.');
      else {
        // Whoever reads a pipe or a file wants the whole answer.
        const columns = process.stdout.isTTY ? context.terminal.columns() : Number.POSITIVE_INFINITY;
        context.terminal.data(knownText(shown, { nowMs: Date.now(), columns }));
        if (all.length > shown.length) context.terminal.say('There are more: `assay ls --all`.');
      }
    });
}

/** What the server knows, with the folders that only its workflows tell; or why it does not say. */
async function askServer({ env }: Context, limit: number, here: ReadonlySet<string>) {
  const { openQuietly } = await import('./open-quietly.ts');
  const { folderOf, keyOf, listExperiments } = await import('./experiments.ts');
  const open = await openQuietly(env);
  if ('why' in open) return { listed: [], silence: open.why };
  try {
    const experiments = await listExperiments(open.client, { running: false, limit: limit + 1 });
    const listed = await Promise.all(
      experiments.map(async (one) => {
        const key = await keyOf(open.client, one);
        const known = key !== null && here.has(key);
        return { ...one, key, folder: known ? null : await folderOf(open.client, one.workflowId, one.runId) };
      }),
    );
    return { listed, silence: null };
  } catch (error) {
    return { listed: [], silence: `Temporal does not answer: ${(error as Error).message.split('\n')[0]}` };
  } finally {
    await open.close();
  }
}
