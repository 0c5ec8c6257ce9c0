import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../src/spec/check.ts';
import { formatIssues } from '../../src/spec/issue.ts';
import { readSpec } from '../../src/spec/read-yaml.ts';
import { visible } from '../../src/spec/visible.ts';

const ESC = String.fromCodePoint(0x1b);
const OVERRIDE = String.fromCodePoint(0x202e);

describe('what a terminal obeys instead of showing', () => {
  it.each([
    ['a name', { assay: 1, name: `${OVERRIDE}abc`, question: 'q' }],
    ['a question', { assay: 1, name: 'a', question: `${ESC}[31mred` }],
    ['a key', { assay: 1, name: 'a', question: 'q', factors: { [`${ESC}[2J`]: {} } }],
  ])('is refused in %s', (_where, spec) => {
    const parsed = parseSpec(spec);
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? '' : formatIssues(parsed.issues)).toContain('control character');
  });

  it('never reaches the terminal raw, not even in an excerpt', () => {
    const read = readSpec(`{"assay": 1, "na${ESC}[31mme": 3}`, 'x.json');
    expect(read.ok).toBe(false);
    expect(read.ok ? '' : formatIssues(read.issues)).not.toContain(ESC);
  });

  it('is written out', () => {
    expect(visible(`a${ESC}b\nc`)).toBe('a<U+001B>b\nc');
  });
});
