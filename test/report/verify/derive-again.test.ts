import { beforeAll, describe, expect, test } from 'vitest';
import { deriveAgain } from '../../../src/report/verify/derive-again.ts';
import type { Store } from '../../../src/store/store.ts';
import { derivableStore, resealed } from './derivable.ts';

let store: Store;

beforeAll(async () => {
  store = await derivableStore();
});

const TRIAL = 'trials/b1/batch=4KiB/a1';

/** Every place of a JSON text at which a number stands as a value. */
function numbersIn(text: string): { at: number; digits: string }[] {
  return [...text.matchAll(/(?<=: |\n\s+)-?\d+(?:\.\d+)?(?:e-?\d+)?(?=,?\n)/g)].map((m) => {
    return { at: m.index, digits: m[0] };
  });
}

function replaced(text: string, { at, digits }: { at: number; digits: string }): string {
  return `${text.slice(0, at)}${Number(digits) * 1.01 + 1}${text.slice(at + digits.length)}`;
}

test('an untouched folder: everything follows from the raw files, and the histories tell the same', async () => {
  const again = await deriveAgain(store);
  expect(again.differences).toEqual([]);
  expect(again.numbers).toBeGreaterThan(1000);
  expect(again.onRecord.join('\n')).toContain('histories of 6 of 6 attempts tell the same');
});

test.each([
  `${TRIAL}/trial.json`,
  'analysis.json',
  'frozen.json',
  'plan.json',
  'payloads.json',
  'summary.json',
])(
  'any single number changed in %s is named, with what is stored and what it should be',
  async (path) => {
    const text = (await store.get(path)).toString('utf8');
    // The format number is no result: another one is refused before anything is derived.
    const found = numbersIn(text).filter(({ at }) => !text.slice(0, at).endsWith('"format": '));
    expect(found.length).toBeGreaterThan(0);
    const some = found.filter((_, i) => i % Math.ceil(found.length / 8) === 0);
    for (const number of some) {
      const { differences } = await deriveAgain(await resealed(store, path, (t) => replaced(t, number)));
      const named = differences.filter((d) => d.path === path);
      expect(named.length, `${path} at ${number.at}: ${number.digits}`).toBeGreaterThan(0);
      expect(named.some((d) => d.derived.includes(number.digits) && d.stored !== d.derived)).toBe(true);
    }
  },
  120_000,
);

describe('tables and pages', () => {
  test.each(['trials.csv', 'samples.csv'])(
    'a changed cell of %s is named by row and column',
    async (path) => {
      const changed = await resealed(store, path, (t) => {
        const rows = t.split('\r\n');
        const cells = rows[3]?.split(',') ?? [];
        const at = cells.findIndex((cell, i) => i > 5 && /^\d+(\.\d+)?$/.test(cell));
        cells[at] = String(Number(cells[at]) + 1);
        rows[3] = cells.join(',');
        return rows.join('\r\n');
      });
      const { differences } = await deriveAgain(changed);
      expect(differences).toMatchObject([{ path, where: expect.stringMatching(/^row 4, \w+/) }]);
    },
  );

  test.each([
    ['report.html', /<td class="n strong">[\d.]+/],
    ['report.md', /\| [\d.]+ \|/],
  ])('a number changed in %s is named by its line', async (path, number) => {
    const changed = await resealed(store, path, (t) => t.replace(number, (m) => m.replace(/\d/, '9')));
    const { differences } = await deriveAgain(changed);
    expect(differences).toMatchObject([{ path, where: expect.stringMatching(/^line \d+$/) }]);
  });
});

describe('raw files', () => {
  test('two swapped outputs are noticed in both trials, by hash and by every figure that rests on them', async () => {
    const other = 'trials/b1/batch=64KiB/a1';
    const [mine, theirs] = [`${TRIAL}/p.stdout`, `${other}/p.stdout`];
    const output = (await store.get(mine)).toString('utf8');
    const swapped = await resealed(await resealed(store, mine, () => ''), theirs, () => output);
    await swapped.replace(mine, await store.get(theirs));
    const found = (await deriveAgain(swapped)).differences.map((d) => `${d.path} ${d.where}`);
    for (const folder of [TRIAL, other]) {
      expect(found).toContain(`${folder}/trial.json raw[0].sha256`);
      expect(found).toContain(`${folder}/trial.json rate.recordsPerS`);
    }
    expect(found.some((f) => f.startsWith('analysis.json effects'))).toBe(true);
  });

  test('a changed interval line changes the rate of its trial', async () => {
    const changed = await resealed(store, `${TRIAL}/p.stdout`, (t) => {
      const lines = t.split('\n');
      lines[4] = (lines[4] ?? '').replace(/ (\d+) records sent/, ' 9$1 records sent');
      return lines.join('\n');
    });
    const found = (await deriveAgain(changed)).differences.map((d) => `${d.path} ${d.where}`);
    expect(found).toContain(`${TRIAL}/trial.json loads[0].series[4].records`);
  });

  test('a missing output, exit record or sampler file is a difference, not a crash', async () => {
    for (const name of ['p.stdout', 'p.exit.json', 'sampler.jsonl']) {
      const gone = await resealed(store, `${TRIAL}/${name}`, () => '');
      const { differences } = await deriveAgain(gone);
      expect(differences.filter((d) => d.path === `${TRIAL}/trial.json`).length, name).toBeGreaterThan(0);
    }
  });
});

describe('settle and drain', () => {
  test.each([
    ['tookMs', /"tookMs": (\d+)/],
    ['a point of the curve', /"dirtyBytes": (\d+)/],
    ['the outcome', /"outcome": "(\w+)"/],
  ])(
    '%s that the samples do not give is named, though evidence, record and history agree',
    async (_, value) => {
      const other = (text: string): string =>
        text.replace(value, (m, was: string) => m.replace(was, was === 'TIMEOUT' ? 'PLATEAU' : `${was}1`));
      const changed = await resealed(store, `${TRIAL}/evidence.json`, other);
      await changed.replace(
        `${TRIAL}/trial.json`,
        other((await changed.get(`${TRIAL}/trial.json`)).toString()),
      );
      const { differences } = await deriveAgain({
        ...changed,
        has: async (path) => !path.startsWith('histories/') && changed.has(path),
      });
      expect(differences.filter((d) => d.path.startsWith(TRIAL))).toMatchObject([
        { path: `${TRIAL}/evidence.json`, where: 'seen.settled' },
      ]);
    },
  );
});

describe('what is taken on record', () => {
  test('evidence that the exported history contradicts is named', async () => {
    const changed = await resealed(store, `${TRIAL}/evidence.json`, (t) =>
      t.replace(/"inLog": \d+/, '"inLog": 9499'),
    );
    const again = await deriveAgain(changed);
    expect(again.differences).toContainEqual({
      path: `${TRIAL}/evidence.json`,
      where: 'seen.verified.topics.main.inLog',
      stored: '9499',
      derived: expect.stringMatching(/^\d{4}$/),
    });
    expect(again.onRecord.join('\n')).toContain('5 of 6 attempts');
  });

  test('without evidence nothing of a trial is derived, and that is said', async () => {
    const bare = await resealed(store, 'report.md', (t) => `${t} `);
    const list = await bare.list('');
    const without = {
      ...bare,
      list: async () => list.filter((p) => !p.endsWith('b1/batch=4KiB/a1/evidence.json')),
    };
    const none = { ...without, has: async (p: string) => (await without.list()).includes(p) };
    const { differences } = await deriveAgain(none);
    expect(differences).toContainEqual(
      expect.objectContaining({
        path: `${TRIAL}/trial.json`,
        derived: expect.stringContaining('evidence.json'),
      }),
    );
  });

  test('a trial that was moved to the folder of another is named', async () => {
    const text = (await store.get('trials/b2/batch=4KiB/a1/trial.json')).toString('utf8');
    const moved = await resealed(store, `${TRIAL}/trial.json`, () => text);
    const found = (await deriveAgain(moved)).differences.map((d) => `${d.path} ${d.where}`);
    expect(found).toContain(`${TRIAL}/trial.json id`);
  });
});
