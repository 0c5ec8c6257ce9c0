import type { TrialRecord } from '../../measure/trial-record.ts';
import { TRIAL } from '../../store/attempt-files.ts';
import { FILES } from '../../store/experiment-files.ts';
import { StoreError } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { analysisFrom, frozenFrom } from '../analysis-of.ts';
import { csvRows } from '../csv-table.ts';
import { loadResults, type Results } from '../results.ts';
import { RENDERED, renderedFiles } from '../write-report.ts';
import { cloudWatchAgain } from './cloudwatch.ts';
import { compareJson, type Compared, compareTables, compareText, together } from './compare.ts';
import { payloadsAgain, planAgain } from './plan.ts';
import { trialAgain } from './trials.ts';

/** What `assay verify` found by deriving everything again. */
export interface DerivedAgain extends Compared {
  /** What nothing in the folder can prove: it was only to be seen while the experiment ran. */
  readonly onRecord: readonly string[];
  /** Run with --smoke: whatever can be derived again, nothing of it is a measurement. */
  readonly rehearsal: boolean;
}

/**
 * Derives everything in a results folder again that can be: the plan from the spec, each corpus from its seed,
 * each trial from its raw files and evidence, what was frozen from block 0, the analysis from the trials, and
 * every rendered file. Each step starts from what was derived, not from what is stored, so that one altered
 * number is named once, where it stands. Hashes are not looked at: that is `verify` of the manifest.
 *
 * @throws StoreError when there is no plan, or a file cannot be read at all.
 */
export async function deriveAgain(store: Store): Promise<DerivedAgain> {
  const results = await loadResults(store);
  const { plan } = results;
  const experimentKey = results.experiment?.key ?? results.trials[0]?.experimentKey ?? plan.seed;
  const folders = results.files
    .filter((f) => f.startsWith('trials/') && f.endsWith(`/${TRIAL}`))
    .map((f) => f.slice(0, -TRIAL.length - 1));
  const bases = basesOf(results);
  const trials = [];
  for (const folder of folders) trials.push(await trialAgain(store, plan, bases, folder));
  const drawn = await step(FILES.plan, () => planAgain(store, plan, experimentKey));
  const records = trials.map((t) => t.record).sort(inTimeOrder);
  const { analysis, compared } = await analysisAgain(store, results, records);
  const derived = { ...results, analysis, trials: inOrderOf(results.trials, records) };
  const inHistory = trials.filter((t) => t.inHistory === true).length;
  return {
    ...together([
      drawn,
      // A plan that is not the spec's may ask for anything, and the folder is not trusted.
      drawn.differences.length > 0 ? NOTHING : await step('payloads.json', () => payloadsAgain(store, plan)),
      ...trials,
      await step(FILES.metrics, () => cloudWatchAgain(derived)),
      await step(FILES.frozen, () => frozenAgain(results, records)),
      compared,
      await step('report.html', async () => together(await renderedAgain(store, derived))),
    ]),
    onRecord: onRecord(trials.length, inHistory, results),
    rehearsal: plan.smoke === true,
  };
}

/** Dirty + Writeback of the quiet machine, by lab. */
function basesOf({ environment, laterLabs }: Results): ReadonlyMap<number, number | undefined> {
  const later = laterLabs.map(({ lab, environment: one }) => [lab, one.baseDirtyBytes] as const);
  return new Map([[1, environment?.baseDirtyBytes] as const, ...later]);
}

/** What an altered folder makes impossible to derive is a difference, not a failure of ours. */
async function step(path: string, derive: () => Compared | Promise<Compared>): Promise<Compared> {
  try {
    return await derive();
  } catch (error) {
    const derived = `nothing: ${error instanceof Error ? error.message : String(error)}`;
    return { numbers: 0, differences: [{ path, where: '', stored: 'something', derived }] };
  }
}

/** The stored analysis where it cannot be derived. */
async function analysisAgain(
  store: Store,
  { plan, planSha256, analysis: stored }: Results,
  trials: readonly TrialRecord[],
): Promise<{ analysis: Results['analysis']; compared: Compared }> {
  if (stored === null) return { analysis: null, compared: NOTHING };
  let analysis = stored;
  const compared = await step(FILES.analysis, async () => {
    analysis = await analysisFrom(store, plan, planSha256, trials);
    return compareJson(FILES.analysis, stored, analysis);
  });
  return { analysis, compared };
}

const NOTHING: Compared = { numbers: 0, differences: [] };

/** As `loadTrials` gives them to freeze and analysis. */
function inTimeOrder(a: TrialRecord, b: TrialRecord): number {
  return a.startedAt.localeCompare(b.startedAt) || a.position - b.position;
}

function inOrderOf(order: readonly TrialRecord[], records: readonly TrialRecord[]): TrialRecord[] {
  const place = new Map(order.map((trial, i) => [trial.id, i]));
  return [...records].sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
}

function frozenAgain({ plan, planSha256, frozen }: Results, trials: readonly TrialRecord[]): Compared {
  if (frozen === null) return NOTHING;
  return compareJson(FILES.frozen, frozen, frozenFrom(plan, planSha256, trials));
}

async function renderedAgain(store: Store, derived: Results): Promise<Compared[]> {
  const fresh = await renderedFiles(store, derived);
  const present = RENDERED.filter((path) => derived.files.includes(path));
  return Promise.all(
    present.map(async (path) => {
      const stored = (await store.get(path)).toString('utf8');
      const again = fresh[path];
      if (again === undefined) return missing(path);
      if (path.endsWith('.csv')) return compareTables(path, csvRows(stored), csvRows(again));
      if (path.endsWith('.json')) return compareJson(path, parsed(store, path, stored), JSON.parse(again));
      return compareText(path, stored, again);
    }),
  );
}

/** A rendered file of what these results do not hold. */
function missing(path: string): Compared {
  const differences = [
    { path, where: '', stored: 'a rendered file', derived: 'nothing: these results have none' },
  ];
  return { numbers: 0, differences };
}

function parsed(store: Store, path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const fix = '`assay report` renders it anew';
    throw new StoreError('corrupt', { path, location: store.location }, 'it is not JSON', fix, {
      cause: error,
    });
  }
}

function onRecord(
  attempts: number,
  inHistory: number,
  { experiment, environment, metrics }: Results,
): string[] {
  const audit =
    inHistory === 0
      ? 'no exported history tells the same'
      : `the exported Temporal histories of ${inHistory} of ${attempts} attempts tell the same`;
  return [
    `evidence.json of each attempt: end offsets, leaders, epochs and in-sync sets, identities of brokers and clients, broker events, phase times (${audit})`,
    'the raw files: what tools and samplers printed, and how their processes ended',
    ...(environment === null ? [] : ['environment.json: versions, machine, broker settings']),
    ...(metrics === null ? [] : ['cloudwatch.json: what CloudWatch answered, and when']),
    ...(experiment === null ? [] : ['experiment.json: start, end, outcome, leaks, notes, deviations']),
  ];
}
