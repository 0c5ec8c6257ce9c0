import { beforeAll, describe, expect, test } from 'vitest';
import { csvRows } from '../../../src/report/csv-table.ts';
import { htmlReport } from '../../../src/report/html.ts';
import { width } from '../../../src/report/layout.ts';
import { markdownReport } from '../../../src/report/markdown.ts';
import { type ReportModel, reportModel } from '../../../src/report/model.ts';
import { loadResults } from '../../../src/report/results.ts';
import { terminalSummary } from '../../../src/report/terminal.ts';
import { renderAgain, sampleFiles, writeReport } from '../../../src/report/write-report.ts';
import { verify } from '../../../src/store/manifest.ts';
import type { Store } from '../../../src/store/store.ts';
import { COMPLETED, EVIL } from '../fixture-cases.ts';
import { modelOf, storeOf } from '../harness.ts';
import { cloudWatchInPods, IN_PODS_ENVIRONMENT, storeInPods, VOLUMES } from './fixture.ts';

async function modelIn(store: Store): Promise<ReportModel> {
  const results = await loadResults(store);
  return reportModel(results, await sampleFiles(store, results.files));
}

let model: ReportModel;
let page: string;

beforeAll(async () => {
  model = await modelIn(await storeInPods());
  page = htmlReport(model);
});

describe('the page', () => {
  test('volumes with their mapping, medians, nodes, cost', () => {
    for (const part of [
      'id="volumes"',
      'id="nodes"',
      'id="cost"',
      'data-kafka-0',
      'vol-00000000000000b01',
      'no serial number can be read',
      'CloudWatch, read 3 times, last 2026-11-30 09:55 UTC: stable.',
      'CloudWatch did not give VolumeWriteBytes of vol-00000000000000b02 whole',
      '67 %',
      '6.1.999',
      'Attributed after',
      'Assay ends none',
      'shared the node ip-10-0-0-1',
      'from the sampler in each pod',
      'each broker pod',
      '100 GiB gp3, 3,000 IOPS, 125 MiB/s, encrypted',
    ])
      expect(page, part).toContain(part);
    expect(page).not.toContain('share this machine');
    expect(page).not.toMatch(/pinning/);
  });

  test('attempts without a whole minute show a dash, idle ones a 0', () => {
    const rows = [...page.matchAll(/<tr class="valid"><td>.*?<\/tr>/g)].map((m) => m[0]);
    const cells = (place: string, broker: string) => {
      const row =
        rows.find((text) => text.includes(`>${place}<`) && text.includes(`<td>${broker}</td>`)) ?? '';
      return [...row.matchAll(/<td class="n">([^<]*)<\/td>/g)].map((m) => m[1]);
    };
    const last = model.trials.at(-1);
    const of = (broker: string) => cells(`block 2, ${last?.scenario ?? ''}`, broker);
    expect(of('b1').slice(0, 4)).toEqual(['0 %', '–', '–', '–']);
    expect(of('b1').at(-1)).toBe('–');
    const first = model.trials.find(({ block }) => block === 1);
    expect(cells(`block 1, ${first?.scenario ?? ''}`, 'b3').slice(0, 4)).toEqual([
      '67 %',
      '0.00',
      '0.00',
      '–',
    ]);
  });

  test('a provisional record says so before its figures are believed', async () => {
    const early = await modelIn(await storeInPods(cloudWatchInPods({ state: 'provisional' })));
    for (const text of [
      htmlReport(early),
      markdownReport(early),
      terminalSummary(early, { width: 100, color: false, folder: 'r' }),
    ])
      expect(text).toContain('PROVISIONAL');
    expect(page).not.toContain('PROVISIONAL');
  });

  test('without CloudWatch: mapping and what the nodes counted, and that nothing is 0', async () => {
    const none = await modelIn(await storeInPods(null));
    const text = htmlReport(none);
    expect(text).toContain(
      'CloudWatch has not been read (there is no cloudwatch.json). Its figures are empty, not 0.',
    );
    expect(none.kubernetes?.medians[0]).toMatchObject({ cloudWatch: null, device: { n: 2 } });
    expect(text).toContain('are compared nowhere');
  });

  test('names from a cluster add no tag', async () => {
    const environment = {
      ...IN_PODS_ENVIRONMENT,
      volumes: VOLUMES.map((v) => ({ ...v, seen: EVIL, claim: EVIL, node: EVIL })),
      pods:
        IN_PODS_ENVIRONMENT.pods?.map((p) => ({ ...p, node: EVIL, facts: { ...p.facts, kernel: EVIL } })) ??
        [],
    };
    const hostile = await modelIn(await storeInPods(cloudWatchInPods({ notes: [EVIL] }), { environment }));
    expect(/<script|(?!\n)\p{Cc}|\u202e/u.exec(htmlReport(hostile))?.[0]).toBeUndefined();
    expect(markdownReport(hostile)).not.toMatch(/<script|(?!\n)\p{Cc}|\u202e/u);
    expect(
      /(?!\n)\p{Cc}|\u202e/u.test(terminalSummary(hostile, { width: 80, color: false, folder: 'r' })),
    ).toBe(false);
  });
});

describe('other renderings', () => {
  test('Markdown: medians as a table, then volumes, nodes and cost', () => {
    const text = markdownReport(model);
    const parts = [
      '| scenario | broker | volume |',
      '**Volumes**',
      '**Nodes**',
      '**Cost**',
      'What this does not prove',
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(
      places.every((p) => p >= 0),
      places.join(' '),
    ).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(text).toMatch(
      /\| batch=4KiB \| b1 \| vol-00000000000000b01 \| 41\.0 \| 400 \| 67 % \| \d of 2 \| 40\.0 \| 400 \| 2 of 2 \|/,
    );
  });

  test.each([40, 80, 120])('terminal: no line is longer than %i columns', (columns) => {
    const text = terminalSummary(model, { width: columns, color: false, folder: 'r' });
    for (const line of text.split('\n')) expect(width(line), line).toBeLessThanOrEqual(columns);
  });

  test('terminal: medians of CloudWatch, what is unverified, unlike nodes, cost', () => {
    const text = terminalSummary(model, { width: 200, color: false, folder: 'r' });
    expect(text).toMatch(/batch=4KiB +b1 +41\.0 +400 +67 %/);
    expect(text).toContain('! the volume of b3 is unverified: no serial number can be read');
    expect(text).toContain('! The brokers differ in kernel');
    expect(text).toContain('cost: Estimated before: ');
    // Without samples nothing is known of the nodes; the record of a trial speaks of one of them.
    expect(model.kubernetes?.resources.length).toBeGreaterThan(0);
  });

  test('volumes.csv: a row an attempt and volume; unknown is empty, idle is 0', async () => {
    const store = await storeInPods();
    await writeReport(store);
    const [header = [], ...rows] = csvRows((await store.get('volumes.csv')).toString('utf8'));
    expect(rows).toHaveLength(8 * 3);
    const cell = (row: readonly string[] | undefined, name: string) => row?.[header.indexOf(name)];
    const of = (broker: string) => rows.filter((row) => cell(row, 'broker') === broker);
    expect(cell(of('b3')[0], 'cloudwatch_write_bytes_per_s')).toBe('0');
    expect(cell(of('b3')[0], 'cloudwatch_write_mean_op_bytes')).toBe('');
    expect(cell(of('b3')[0], 'device_write_bytes_per_s')).toBe('');
    expect(cell(of('b3')[0], 'mapping')).toBe('unverified');
    expect(cell(of('b2')[0], 'cloudwatch_read_bytes_per_s')).toBe('');
    expect(cell(of('b2')[0], 'cloudwatch_completeness')).toBe('partial');
    expect(cell(of('b1').at(-1), 'cloudwatch_write_bytes_per_s')).toBe('');
    expect(cell(of('b1').at(-1), 'cloudwatch_write_coverage_share')).toBe('0');
    expect(new Set(rows.map((row) => cell(row, 'cloudwatch_state')))).toEqual(new Set(['stable']));
  });

  test('summary.json: medians with n and coverage, and both sums', async () => {
    const store = await storeInPods();
    await writeReport(store);
    const summary: unknown = JSON.parse((await store.get('summary.json')).toString('utf8'));
    expect(summary).toMatchObject({
      kubernetes: {
        cloudWatch: 'stable',
        cost: { estimated: { low: expect.any(Number) }, attributed: { low: expect.any(Number) } },
      },
      limits: expect.arrayContaining([expect.stringContaining('shared the node ip-10-0-0-1')]),
    });
  });
});

describe('the export', () => {
  test('cloudwatch.json and volumes.csv are in the manifest; rendering again gives the same bytes', async () => {
    const store = await storeInPods();
    await writeReport(store);
    const manifest = (await store.get('manifest.json')).toString('utf8');
    for (const path of ['cloudwatch.json', 'volumes.csv']) expect(manifest).toContain(`"path": "${path}"`);
    const [html, csv] = [await store.get('report.html'), await store.get('volumes.csv')];
    await renderAgain(store);
    expect((await store.get('report.html')).equals(html)).toBe(true);
    expect((await store.get('volumes.csv')).equals(csv)).toBe(true);
    expect(await verify(store)).toMatchObject({ problems: [] });
  });

  test('CloudWatch comes after the first export, and once more where it was provisional; the lab record may grow', async () => {
    const store = await storeInPods(null);
    await store.put('lab/kubernetes.json', '{"format":1}');
    await writeReport(store);
    for (const state of ['provisional', 'stable'] as const) {
      await store.replace('cloudwatch.json', JSON.stringify(cloudWatchInPods({ state })));
      await store.replace('lab/kubernetes.json', `{"format":1,"seen":"${state}"}`);
      await writeReport(store);
      expect((await store.get('volumes.csv')).toString('utf8')).toContain(state);
    }
    await store.replace('cloudwatch.json', JSON.stringify(cloudWatchInPods({ reads: 4 })));
    await expect(renderAgain(store)).rejects.toThrow(/cloudwatch\.json/);
  });

  test('a local lab has none of it', async () => {
    const store = await storeOf(COMPLETED);
    await writeReport(store);
    expect(await store.has('volumes.csv')).toBe(false);
    const local = await modelOf(COMPLETED);
    expect(local.kubernetes).toBeNull();
    const all = (await Promise.all((await store.list('')).map(async (path) => store.get(path)))).join('');
    for (const part of [
      'id="volumes"',
      'id="nodes"',
      'id="cost"',
      'volumes.csv',
      '"kubernetes"',
      'CloudWatch',
    ])
      expect(all, part).not.toContain(part);
    expect(all).toContain('share this machine');
  });
});
