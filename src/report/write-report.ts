import { StoreError } from '../store/errors.ts';
import { FILES } from '../store/experiment-files.ts';
import { MANIFEST, MANIFEST_HASH, verify, writeManifest } from '../store/manifest.ts';
import type { Store, StoredFile } from '../store/store.ts';
import { trialsCsv } from './csv.ts';
import { htmlReport } from './html.ts';
import { volumesCsv } from './kubernetes/volumes-csv.ts';
import { markdownReport } from './markdown.ts';
import { reportModel } from './model.ts';
import { loadResults, type Results } from './results.ts';
import { type SampleFile, samplesCsv } from './samples-csv.ts';
import { summaryOf } from './summary.ts';
import { NOT_A_MEASUREMENT } from './text.ts';

/** What a report renders; these files alone may differ from one rendering to the next. */
export const RENDERED = [
  'report.html',
  'report.md',
  'trials.csv',
  'samples.csv',
  'summary.json',
  // Of a lab in pods.
  'volumes.csv',
] as const;

/** What the end of an experiment may write anew, e.g. after teardown has shown a leak. */
const REWRITTEN_BY_EXPERIMENT = [
  FILES.experiment,
  FILES.analysis,
  // Points of CloudWatch come late, and volumes are recorded once more while a lab is taken down.
  FILES.metrics,
  'lab/kubernetes.json',
] as const;

/**
 * The export of an experiment: renders report, CSV and summary from the store alone, then the manifest over
 * everything. No clock and no machine enters: the same results give the same bytes.
 * @returns the manifest.
 * @throws StoreError when a result that is written once has changed since an earlier manifest.
 */
export async function writeReport(store: Store): Promise<StoredFile> {
  await render(store);
  return writeManifest(store, [...RENDERED, ...REWRITTEN_BY_EXPERIMENT]);
}

/**
 * The same for finished results (`assay report DIR`): nothing but the rendered files may have changed, so
 * that a new manifest cannot hide an altered analysis.
 */
export async function renderAgain(store: Store): Promise<StoredFile | null> {
  const exported = await requireUntouched(store);
  await render(store);
  return exported ? writeManifest(store, RENDERED) : null;
}

/**
 * Before anything is written: the results must be what was exported, or nothing was ever exported (then there is
 * no manifest to renew, and none is made). False in that last case.
 * @throws StoreError corrupt that names the first change.
 */
async function requireUntouched(store: Store): Promise<boolean> {
  if (!(await store.has(MANIFEST)) && !(await store.has(MANIFEST_HASH))) {
    if (!(await store.has('report.html'))) return false;
    throw changed(store, MANIFEST, 'it is missing, although these results were exported');
  }
  const { problems } = await verify(store);
  const real = problems.find((p) => !RENDERED.some((path) => path === p.path && p.kind !== 'extra'));
  if (real !== undefined) throw changed(store, real.path, real.message);
  return true;
}

function changed(store: Store, path: string, why: string): StoreError {
  const fix =
    'Nothing was written, since a new manifest would hide that: run `assay verify` to see every change, and restore the files from a copy';
  return new StoreError('corrupt', { path, location: store.location }, why, fix);
}

async function render(store: Store): Promise<void> {
  const contents = await renderedFiles(store, await loadResults(store));
  for (const path of RENDERED) {
    const content = contents[path];
    if (content !== undefined) await store.replace(path, content);
  }
}

/** Every rendered file that these results have; of the store only the samplers' files are read. */
export async function renderedFiles(
  store: Store,
  results: Results,
): Promise<Readonly<Partial<Record<(typeof RENDERED)[number], string>>>> {
  const samples = await sampleFiles(store, results.files);
  const model = reportModel(results, samples);
  const { kubernetes } = model;
  return {
    'report.html': htmlReport(model),
    'report.md': markdownReport(model),
    'trials.csv': trialsCsv(results.plan, results.trials),
    'samples.csv': samplesCsv(samples, model.smoke ? NOT_A_MEASUREMENT : null),
    'summary.json': `${JSON.stringify(summaryOf(model, results.analysis), null, 2)}\n`,
    ...(kubernetes === null || kubernetes.volumes.length === 0
      ? {}
      : { 'volumes.csv': volumesCsv(results.plan, kubernetes.cloudWatch, kubernetes.rows) }),
  };
}

/** The samplers' files of these results. */
export async function sampleFiles(store: Store, files: readonly string[]): Promise<readonly SampleFile[]> {
  const paths = files.filter((f) => /^trials\/.*\/sampler[^/]*\.jsonl$/.test(f));
  const read: SampleFile[] = [];
  for (const path of paths) read.push({ path, text: (await store.get(path)).toString('utf8') });
  return read;
}
