import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { JanitorInput } from '../janitor/input.ts';
import type { Shift } from '../janitor/janitor.ts';
import type { Found, JanitorReport, Leftover, Removal } from '../janitor/leftover.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';

/** `assay cleanup`: what terminated experiments left, and its end. */
export function addCleanup(program: Command, context: Context): void {
  program
    .command('cleanup')
    .description(
      'find what terminated experiments left on this machine, in the cluster and in EC2; remove nothing unless --delete',
    )
    .option('--delete', 'remove what is provably ours, has expired and belongs to a workflow that has ended')
    .option('--ignore-expiry', 'also what has not expired, when Temporal says that its workflow has ended')
    .option('--context <name>', 'context of the kubeconfig (default: the current one)')
    .option('--namespace <name...>', 'look into these namespaces only (default: ASSAY_NAMESPACES, else all)')
    .option('--region <region>', 'region of EC2 (default: AWS_REGION)', nonEmpty)
    .option('--json', 'print the report as JSON')
    .action(async (options) => {
      const { delete: acts = false, ignoreExpiry = false, context: name, namespace, region } = options;
      const { report, silence } = await cleanUp(context, {
        delete: acts,
        ignoreExpiry,
        ...(name === undefined ? {} : { context: name }),
        ...(namespace === undefined ? {} : { namespaces: namespace }),
        ...(region === undefined ? {} : { region }),
      });
      if (options.json) context.terminal.data(`${JSON.stringify(report, null, 1)}\n`);
      else {
        const { cleanupText } = await import('./cleanup-text.ts');
        context.terminal.data(cleanupText(report));
      }
      context.exitWith(exitCodeOf(report, silence));
    });
}

function nonEmpty(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected a region such as ap-northeast-2.');
  return text;
}

/** `silence`: why Temporal could not be asked; null = it could. */
async function cleanUp(
  { env, terminal }: Context,
  input: JanitorInput,
): Promise<{ readonly report: JanitorReport; readonly silence: string | null }> {
  const { readInput } = await import('../janitor/input.ts');
  const { look } = await import('../janitor/janitor.ts');
  const { waysOf } = await import('../janitor/ways.ts');
  const { openQuietly } = await import('./open-quietly.ts');
  const read = readInput(input);
  if ('wrong' in read) throw new CommandFailure(EXIT.usage, read.wrong.join('\n'));
  const open = await openQuietly(env);
  try {
    if ('why' in open)
      terminal.say(`Nothing can be removed, since nobody says which experiments run: ${open.why}`);
    const ways = waysOf(env, 'why' in open ? open : open.client);
    const say = (text: string) => terminal.say(text);
    const { signal } = new AbortController();
    const shift: Shift = { ways, scope: read.scope, say, signal, now: Date.now };
    const { looks, leftovers } = await look(shift);
    const found: Found[] = [];
    for (const leftover of leftovers)
      found.push({ ...leftover, removal: read.delete ? await removeIfDue(leftover, shift) : null });
    const report: JanitorReport = { format: 1, dryRun: !read.delete, looks, found };
    return { report, silence: 'why' in open ? open.why : null };
  } finally {
    if (!('why' in open)) await open.close();
  }
}

/** One that does not go keeps nobody else's from going. */
async function removeIfDue(leftover: Leftover, shift: Shift): Promise<Removal | null> {
  if (!leftover.verdict.remove) return null;
  const { remove } = await import('../janitor/janitor.ts');
  shift.say(`removing ${leftover.place} ${leftover.id}`);
  try {
    return await remove(leftover, shift);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { outcome: 'incomplete', why, remains: ['unknown: the removal failed; run it again'] };
  }
}

/** What could not be asked, and what was to go and is still there, is for somebody to look at. Pure. */
export function exitCodeOf({ looks, found, dryRun }: JanitorReport, silence: string | null): ExitCode {
  const blind = looks.some(({ state }) => state === 'failed');
  const silent = ({ workflow, workflowId }: Found): boolean =>
    silence !== null || (workflow.kind === 'unknown' && workflowId !== null);
  // Where nothing is left no Temporal is missed.
  const unasked = !dryRun && found.some(silent);
  const stuck = found.some(({ removal }) => removal?.outcome === 'incomplete');
  return blind || unasked || stuck ? EXIT.infrastructure : EXIT.ok;
}
