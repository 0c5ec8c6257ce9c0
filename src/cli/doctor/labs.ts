import { join } from 'node:path';
import { type Home, machineFolder } from '../../lab/home.ts';
import { lastLease, type Lease } from '../../lab/lease.ts';
import { processesOfLab, processesOfLabs } from '../../lab/local/processes.ts';
import type { OpenClient } from '../../temporal/connection.ts';
import type { Env } from '../../temporal/home.ts';
import { keyOf, listExperiments } from '../experiments.ts';
import { foldersIn } from '../folders-in.ts';
import { durationText } from '../words.ts';
import { type Check, look, ok, warn } from './check.ts';

/** Who measures on this machine, and what is left of labs that nobody runs any more. */
export async function labChecks(home: Home, env: Env, open: OpenClient | null): Promise<Check[]> {
  const running = await look('labs', async () => leftovers(home, await runningKeys(open)));
  return [await look('lease', () => leaseCheck(machineFolder(env), Date.now())), running];
}

function leaseCheck(machineDir: string, nowMs: number): Check {
  const last = lastLease(machineDir, nowMs);
  if (last === null || (!last.current && last.lease.released)) return ok('lease', 'nobody measures here now');
  const { lease } = last;
  const who = `experiment ${lease.workflowId} (${lease.experimentKey})`;
  if (last.current)
    return ok(
      'lease',
      `${who} measures here for ${durationText(nowMs - lease.sinceMs)}; others wait, and so would a run of yours`,
    );
  return staleLease(lease, who, nowMs);
}

function staleLease(lease: Lease, who: string, nowMs: number): Check {
  const left = processesOfLab(lease.labFolder);
  const since =
    nowMs > lease.expiresAtMs
      ? `expired ${durationText(nowMs - lease.expiresAtMs)} ago`
      : 'is of an earlier boot';
  if (left.length === 0)
    return ok('lease', `free: the lease of ${who} ${since}, and nothing of its lab runs`);
  const pids = left.map(({ pid }) => pid).join(', ');
  return warn(
    'lease',
    `the lease of ${who} ${since}, but processes of its lab still run: ${pids}.`,
    left.every(({ ours }) => ours)
      ? 'The next experiment ends them before it measures; or end the experiment: `assay abort`.'
      : 'They are not yours to end: ask whoever runs them, or nobody can measure here.',
  );
}

/** Keys of the experiments that run; null = no server says. */
async function runningKeys(open: OpenClient | null): Promise<ReadonlySet<string> | null> {
  if (open === null) return null;
  const running = await listExperiments(open.client, { running: true, limit: 100 });
  const keys = await Promise.all(running.map((one) => keyOf(open.client, one)));
  return new Set(keys.filter((key) => key !== null));
}

function leftovers(home: Home, running: ReadonlySet<string> | null): Check {
  const folders = foldersIn(home.labs);
  const processes = processesOfLabs();
  const isOfHome = (folder: string) => folder.startsWith(`${home.labs}/`);
  const keyOfFolder = (folder: string) => folder.slice(home.labs.length + 1).split('/')[0] ?? '';
  const keys = new Set([
    ...folders,
    ...processes
      .filter(({ labFolder }) => isOfHome(labFolder))
      .map(({ labFolder }) => keyOfFolder(labFolder)),
  ]);
  const foreign = new Set(processes.map(({ labFolder }) => labFolder).filter((folder) => !isOfHome(folder)));
  const beside = foreign.size === 0 ? '' : `; ${foreign.size} of other homes: ${[...foreign].join(', ')}`;
  if (keys.size === 0) return ok('labs', `none in this home${beside}`);
  const left = [...keys].filter((key) => running?.has(key) !== true);
  if (left.length === 0) return ok('labs', `${[...keys].join(', ')}: running${beside}`);
  const named = left.map((key) => {
    const pids = processes
      .filter(({ labFolder }) => labFolder === join(home.labs, key))
      .map(({ pid }) => pid);
    const live = pids.length === 0 ? 'nothing of it runs' : `processes ${pids.join(', ')}`;
    return `${join(home.labs, key)} (${live})`;
  });
  if (running === null)
    return warn(
      'labs',
      `there are labs, and no Temporal that says whether their experiments run: ${named.join(', ')}${beside}.`,
      '`assay up`: a running experiment goes on and tears its lab down; then ask again.',
    );
  return warn(
    'labs',
    `left behind by experiments that do not run: ${named.join(', ')}${beside}.`,
    'Their brokers end at their deadline. `assay cleanup` says which of them may go, and with --delete removes those.',
  );
}
