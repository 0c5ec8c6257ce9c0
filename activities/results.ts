import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Context } from '@temporalio/activity';
import { beating } from './beat.ts';
import { type Bench, openStore } from './bench.ts';
import type { AnalysisBrief, Conclusion, ExperimentRef, HostActivities } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { stampOf } from '../src/design/smoke.ts';
import type { Deviation, DeviationsRecord } from '../src/design/deviation.ts';
import type { ExpectationResult } from '../src/analysis/analysis.ts';
import { analysisOf } from '../src/report/analysis-of.ts';
import type { ExperimentRecord } from '../src/report/results.ts';
import type { ExpectationTally } from '../src/temporal/status.ts';
import { asJson, FILES, loadPlan } from '../src/store/experiment-files.ts';
import type { Store } from '../src/store/store.ts';

type ResultActivities = Pick<HostActivities, 'exportHistories' | 'analyseExperiment' | 'exportResults'>;

/** Histories, analysis and the rendered report. */
export function resultActivities(deps: ActivityDeps): ResultActivities {
  return {
    exportHistories: ({ ref, workflows }) =>
      beating(async () => {
        const { store } = await deps.benches.open(ref);
        for (const { id, file } of workflows) await exportHistory(store, id, file);
      }),
    analyseExperiment: ({ ref, deviations }) =>
      beating(async () => analyseExperiment(await deps.benches.open(ref), deviations)),
    exportResults: ({ ref, conclusion }) => beating(() => exportResults(deps, ref, conclusion)),
  };
}

/** A trial that never started has no history; its absence is no reason to fail. */
async function exportHistory(store: Store, workflowId: string, file: string): Promise<void> {
  if (await store.has(file)) return;
  const { client } = Context.current();
  const history = await client.workflow
    .getHandle(workflowId)
    .fetchHistory()
    .catch(() => null);
  if (history !== null) await store.put(file, historyToJSON(history));
}

async function analyseExperiment(bench: Bench, deviations: readonly Deviation[]): Promise<AnalysisBrief> {
  if (deviations.length > 0) {
    const record: DeviationsRecord = { format: 1, deviations };
    await bench.store.put(FILES.deviations, asJson(record));
  }
  const analysis = await analysisOf(bench.store);
  await bench.store.replace(FILES.analysis, asJson(analysis));
  const words = Object.fromEntries(analysis.effects.map((e) => [e.contrast, e.word]));
  const expectations = tallyOf(analysis.expectations ?? []);
  return { decided: analysis.decided, answer: analysis.answer, words, ...(expectations && { expectations }) };
}

function tallyOf(results: readonly ExpectationResult[]): ExpectationTally | null {
  if (results.length === 0) return null;
  const of = (outcome: ExpectationResult['outcome']) => results.filter((e) => e.outcome === outcome).length;
  return { passed: of('passed'), failed: of('failed'), inconclusive: of('inconclusive') };
}

/**
 * Records how the experiment ended, brings displaced files home, and renders. When the store cannot be written
 * the second place gets a copy of all that can be read, so that one folder is whole.
 */
async function exportResults(
  deps: ActivityDeps,
  ref: ExperimentRef,
  conclusion: Conclusion,
): Promise<{ folder: string }> {
  // Drawing is loaded when there is something to draw: a worker starts sooner.
  const { writeReport } = await import('../src/report/write-report.ts');
  const store = openStore(deps.home, ref);
  const stamp = stampOf((await loadPlan(store)).plan);
  await store.replace(FILES.experiment, asJson({ ...experimentRecord(ref, conclusion), ...stamp }));
  const displaced = await store.bringHome();
  if (displaced.length === 0) {
    await writeReport(store);
    return { folder: store.location };
  }
  for (const path of await store.list('')) {
    if (!(await store.second.has(path))) await store.second.put(path, await store.get(path));
  }
  await writeReport(store.second);
  return { folder: store.second.location };
}

function experimentRecord(ref: ExperimentRef, c: Conclusion): ExperimentRecord {
  return {
    format: 1,
    key: ref.key,
    workflowId: ref.workflowId,
    startedAt: new Date(c.startedAtMs).toISOString(),
    endedAt: new Date(c.endedAtMs).toISOString(),
    outcome: c.outcome,
    message: c.message,
    leaks: c.leaks,
    notes: c.notes,
    overrides: [],
  };
}
