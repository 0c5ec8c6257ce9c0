import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadResults, type Results } from '../../../src/report/results.ts';
import { createFolderStore } from '../../../src/store/folder-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Ended, Running } from '../../kill/support/running.ts';

/** One spec that was rehearsed: what the command said, and what is in its results folder. */
export interface Rehearsal {
  readonly spec: string;
  readonly seconds: number;
  readonly ended: Ended;
  /** null: it left no results. */
  readonly results: Results | null;
  readonly store: Store | null;
}

/** Runs a spec as a user would, in words, and reads what it left. */
export async function rehearse(assay: Running, file: string, spec: string): Promise<Rehearsal> {
  const id = `smoke-${spec}`;
  const from = performance.now();
  const ended = await assay.assay('run', '--smoke', file, '--id', id);
  const seconds = (performance.now() - from) / 1000;
  for (const folder of foldersIn(assay.own.home.results)) {
    const store = createFolderStore(folder);
    const results = await loadResults(store).catch(() => null);
    if (results?.experiment?.workflowId === id) return { spec, seconds, ended, results, store };
  }
  return { spec, seconds, ended, results: null, store: null };
}

function foldersIn(place: string): string[] {
  try {
    return readdirSync(place).map((name) => join(place, name));
  } catch {
    return [];
  }
}

/** Scenarios without a valid measured trial, the reasons of their void ones beside them. */
export function neverValid({ results }: Rehearsal): readonly string[] {
  if (results === null) return ['no results'];
  return results.plan.scenarios.flatMap(({ slug }) => {
    const mine = results.trials.filter((t) => t.block > 0 && t.scenario === slug);
    if (mine.some((t) => t.verdict.valid)) return [];
    const why = mine.flatMap((t) => t.verdict.reasons.map((r) => `${r.code} (${r.message})`));
    return [`${slug}: ${mine.length === 0 ? 'no trial' : why.join('; ')}`];
  });
}

/** The rehearsals as lines of a table: seconds, trials, valid ones, and why the others are void. */
export function tableOf(rehearsals: readonly Rehearsal[]): string {
  const rows = rehearsals.map(({ spec, seconds, ended, results }) => {
    const trials = results?.trials ?? [];
    const voids = trials.filter((t) => !t.verdict.valid);
    const perTrial = trials.length === 0 ? '' : (seconds / trials.length).toFixed(1);
    return [
      spec,
      seconds.toFixed(0),
      String(ended.code),
      String(trials.length),
      perTrial,
      String(trials.length - voids.length),
      [...new Set(voids.flatMap((t) => t.verdict.reasons.map((r) => r.code)))].join(', '),
    ];
  });
  const trials = rehearsals.reduce((sum, r) => sum + (r.results?.trials.length ?? 0), 0);
  const seconds = rehearsals.reduce((sum, r) => sum + r.seconds, 0);
  const all = [
    ['spec', 's', 'exit', 'trials', 's/trial', 'valid', 'void for'],
    ...rows,
    [`${rehearsals.length} specs`, seconds.toFixed(0), '', String(trials), '', '', ''],
  ];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
