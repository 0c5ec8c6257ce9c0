import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { running, type Running } from '../kill/support/running.ts';
import { neverValid, type Rehearsal, rehearse, tableOf } from './support/rehearsal.ts';

const FOLDER = join(import.meta.dirname, '..', 'specs');
/** `ASSAY_SMOKE=codec,replay` rehearses these alone. */
const ONLY = process.env['ASSAY_SMOKE']?.split(',');
const SPECS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length))
  .filter((name) => ONLY?.includes(name) ?? true);
/** Every file of a results folder that a figure could be taken from. */
const STAMPED = [
  'report.html',
  'report.md',
  'trials.csv',
  'samples.csv',
  'summary.json',
  'analysis.json',
  'experiment.json',
];

let assay: Running;
const all: Rehearsal[] = [];

beforeAll(async () => {
  assay = await running();
});
afterAll(async () => {
  await assay?.close();
  process.stdout.write(`\n${tableOf(all)}\n`);
});

describe('each spec of test/specs runs as a rehearsal on real brokers', () => {
  it.each(SPECS)('%s', async (spec) => {
    const one = await rehearse(assay, join(FOLDER, `${spec}.yaml`), spec);
    all.push(one);
    const { ended, results, store } = one;
    expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(0);
    expect(results?.experiment).toMatchObject({ outcome: 'completed', leaks: [] });
    expect(neverValid(one)).toEqual([]);
    expect(ended.stdout).toMatch(/not a measurement/i);
    for (const path of STAMPED)
      expect((await store!.get(path)).toString('utf8'), path).toMatch(/not a measurement/i);
    expect(existsSync(join(assay.own.home.labs, results!.experiment!.key))).toBe(false);
    const verified = await assay.assay('verify', store!.location);
    expect(verified.code, `${verified.stdout}\n${verified.stderr}`).toBe(0);
    expect(verified.stdout).toMatch(/not a measurement/i);
  });
});

describe('afterwards', () => {
  it('the list of experiments calls each a rehearsal', async () => {
    const listed = await assay.assay('ls', '--all');
    const rehearsals = listed.stdout.match(/not a measurement/g) ?? [];
    expect(rehearsals.length, listed.stdout).toBeGreaterThanOrEqual(all.length);
  });
});
