import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { differences } from './manifest.ts';

const page = readFileSync(new URL('../../../../docs/kubernetes-manifest.md', import.meta.url), 'utf8');

/** Rows of the table: everything but the reason, and the reasons. */
const rows = [...page.matchAll(/^\| (?!object |---)(.+) \|$/gm)].map((match) => {
  const cells = (match[1] ?? '').split(/ (?<!\\)\| /);
  return { said: cells.slice(0, 4).join(' | '), why: cells[4] ?? '' };
});

describe('docs/kubernetes-manifest.md', () => {
  it('lists exactly what differs from the reference template', () => {
    const found = differences().map(({ object, field, template, assay }) =>
      [object, `\`${field}\``, template, assay].join(' | '),
    );
    expect(rows.map((row) => row.said).toSorted()).toEqual(found.toSorted());
  });

  it('gives a reason for each', () => {
    expect(rows.filter((row) => row.why.trim().length < 10)).toEqual([]);
    expect(rows.length).toBeGreaterThan(50);
  });
});
