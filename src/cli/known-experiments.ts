import { NOT_A_MEASUREMENT } from '../design/smoke.ts';
import { visible } from '../spec/visible.ts';
import type { ListedExperiment } from './experiments.ts';
import type { ResultFolder } from './result-folders.ts';
import { durationText, shortened } from './words.ts';

/** An experiment as server and store together know it; null = neither knows. Pure. */
export interface KnownExperiment {
  readonly id: string | null;
  readonly key: string | null;
  readonly name: string | null;
  /** `running`, or how it ended: its own outcome, else what Temporal says of its workflow; `unfinished`: a folder without an end. */
  readonly state: string;
  readonly answer: string | null;
  /** Run with --smoke: not a measurement. */
  readonly rehearsal: boolean;
  /** ISO 8601. */
  readonly startedAt: string | null;
  readonly tookMs: number | null;
  readonly folder: string | null;
}

/** What the server lists, and what it tells only of each by itself. */
export type ListedWithFolder = ListedExperiment & {
  /** The experiment key. */
  readonly key: string | null;
  /** Where its workflow says that its results are, when not in this home. */
  readonly folder: string | null;
};

/** Both lists as one, newest first: an experiment that both know stands there once. */
export function knownExperiments(
  listed: readonly ListedWithFolder[],
  folders: readonly ResultFolder[],
): KnownExperiment[] {
  const byKey = new Map(folders.map((found) => [found.key, found]));
  const both = listed.map((one) => {
    const found = one.key === null ? undefined : byKey.get(one.key);
    if (found !== undefined) byKey.delete(found.key);
    return merged(one, found);
  });
  return [...both, ...[...byKey.values()].map(fromFolder)].toSorted((a, b) =>
    (b.startedAt ?? '').localeCompare(a.startedAt ?? ''),
  );
}

function merged(one: ListedWithFolder, found: ResultFolder | undefined): KnownExperiment {
  const state = one.state.toLowerCase();
  const endedMs = one.endedAt?.getTime() ?? null;
  return {
    id: one.workflowId,
    key: one.key,
    name: found?.name ?? one.name,
    state: state === 'running' ? state : (found?.outcome ?? state),
    answer: found?.answer ?? null,
    rehearsal: found?.rehearsal ?? one.rehearsal,
    startedAt: one.startedAt.toISOString(),
    tookMs: endedMs === null ? null : endedMs - one.startedAt.getTime(),
    folder: found?.folder ?? one.folder,
  };
}

function fromFolder(found: ResultFolder): KnownExperiment {
  const { startedAt, endedAt } = found;
  return {
    id: found.workflowId,
    key: found.key,
    name: found.name,
    state: found.outcome ?? 'unfinished',
    answer: found.answer,
    rehearsal: found.rehearsal,
    startedAt,
    tookMs: startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt),
    folder: found.folder,
  };
}

/** Two or three lines an experiment: what it is and how it ended, its answer's first words, its folder. */
export function knownText(
  known: readonly KnownExperiment[],
  { nowMs, columns }: { readonly nowMs: number; readonly columns: number },
): string {
  const blocks = known.map((one) => {
    const { id, key, name, answer, folder } = one;
    const head = [
      `${mark(one.state)} ${id ?? key ?? 'unnamed'}`,
      one.state,
      one.rehearsal ? `REHEARSAL, ${NOT_A_MEASUREMENT}` : '',
      name === null || name === id ? '' : name,
      whenText(one, nowMs),
      id === null || key === null ? '' : `key ${key}`,
    ];
    const lines = [
      head.filter((part) => part !== '').join('  '),
      ...(answer === null ? [] : [shortened(`    ${answer}`, columns)]),
      ...(folder === null ? [] : [`    ${folder}`]),
    ];
    return visible(lines.join('\n'));
  });
  return `${blocks.join('\n')}\n`;
}

function mark(state: string): string {
  if (state === 'running') return '…';
  return state === 'completed' ? '✓' : state === 'unfinished' ? '!' : '✗';
}

function whenText({ startedAt, tookMs, state }: KnownExperiment, nowMs: number): string {
  if (startedAt === null) return '';
  const when = `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
  if (tookMs !== null) return `${when}, took ${durationText(tookMs)}`;
  return state === 'running' ? `${when}, for ${durationText(nowMs - Date.parse(startedAt))} now` : when;
}
