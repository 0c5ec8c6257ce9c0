import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawPlan } from '../../src/design/draw-plan.ts';
import { readSpec } from '../../src/spec/read-yaml.ts';
import { BASES, text } from './mutants/bases.ts';
import * as classes from './mutants/classes.ts';
import * as hostile from './mutants/hostile.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CLASSES: Readonly<Record<string, readonly classes.Mutant[]>> = {
  'misspelt keys': classes.keyTypos(),
  'misspelt properties': classes.propertyTypos(),
  'wrong units': classes.wrongUnits(),
  'wrong types': classes.wrongTypes(),
  'swapped limits': classes.swappedLimits(),
  duplicates: classes.duplicates(),
  'deep nesting': classes.deepNesting(),
  'huge numbers': classes.hugeNumbers(),
  'hostile names': hostile.hostileNames(),
  'hostile properties': hostile.hostileProperties(),
  'missing parts': classes.missingParts(),
};
const VALUES = hostile.hostileValues();

const known = new Map<classes.Mutant, ReturnType<typeof readSpec>>();
/** Read once, looked at by several tests. */
function readOnce(mutant: classes.Mutant): ReturnType<typeof readSpec> {
  const read = known.get(mutant) ?? readSpec(mutant.text, 'x.yaml');
  known.set(mutant, read);
  return read;
}

/** What is wrong with how a mutant was taken; null = as it must be. */
function oddity(mutant: classes.Mutant): string | null {
  const { expected, what } = mutant;
  const read = readOnce(mutant);
  if (read.ok) return `${what}: taken as right`;
  const places = read.issues.map((i) => ({ code: i.code, line: i.position?.line ?? -1, message: i.message }));
  for (const { message } of places)
    if (/undefined|\[object|Invalid input|\n/.test(message)) return `${what}: unclear: ${message}`;
  const { codes, lines } = expected ?? { codes: [], lines: { first: 0, last: 0 } };
  const right = places.some((p) => codes.includes(p.code) && p.line >= lines.first && p.line <= lines.last);
  return right ? null : `${what} (lines ${lines.first}-${lines.last}): ${JSON.stringify(places)}`;
}

describe('specs that somebody got wrong', () => {
  it('are at least 300, of eleven classes, over several specs that are right', () => {
    const counts = Object.values(CLASSES).map((list) => list.length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(10);
    expect(counts.reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(300);
    for (const { name, json } of BASES) expect(readSpec(text(json), name)).toMatchObject({ ok: true });
  });

  it.each(Object.entries(CLASSES))('are refused at the right line: %s', (_, mutants) => {
    expect(mutants.map(oddity).filter((odd) => odd !== null)).toEqual([]);
  });

  it('suggest what was meant by a misspelt key or property', () => {
    const typos = [...(CLASSES['misspelt keys'] ?? []), ...(CLASSES['misspelt properties'] ?? [])];
    const helped = typos.filter((typo) => {
      const read = readOnce(typo);
      return !read.ok && read.issues.some((i) => i.message.includes('Did you mean'));
    });
    expect(helped.length / typos.length).toBeGreaterThan(0.95);
  });
});

describe('hostile values', () => {
  it('are refused, or planned under names that are safe everywhere', () => {
    for (const value of VALUES) {
      const { what } = value;
      const read = readOnce(value);
      if (!read.ok) {
        for (const issue of read.issues) expect(issue.position?.line, what).toBeGreaterThan(0);
        continue;
      }
      const drawn = drawPlan(read.json, { experimentKey: 'k' });
      const slugs = drawn.ok ? drawn.plan.scenarios.map((s) => s.slug) : [];
      for (const slug of slugs) expect(slug, what).toMatch(/^[A-Za-z0-9=,._+-]{1,80}$/);
    }
  });

  it('that nobody sees are refused wherever they stand', () => {
    const unseen = VALUES.filter(({ text: source }) => /\\0|\u202E|\\x00|\\u202E/.test(source));
    expect(unseen.length).toBeGreaterThan(8);
    for (const value of unseen) expect(readOnce(value).ok, value.what).toBe(false);
  });
});

describe('no value reaches a shell', () => {
  it('when hostile specs are planned and resolved where every shell is a tripwire', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-tripwire-'));
    try {
      const tripped = join(folder, 'tripped');
      const wire = join(folder, 'wire');
      writeFileSync(wire, `#!/bin/sh\necho "$0 $*" >> '${tripped}'\n`);
      chmodSync(wire, 0o755);
      const path = join(folder, 'bin');
      execFileSync('mkdir', [path]);
      for (const name of ['sh', 'bash', 'dash', 'zsh', 'env', 'java', 'mvn', 'touch', 'id', 'rm'])
        execFileSync('cp', [wire, join(path, name)]);
      const right = VALUES.filter((value) => readOnce(value).ok).map((v) => v.text);
      expect(right.length).toBeGreaterThan(30);
      const file = join(folder, 'hostile $(id).yaml');
      writeFileSync(file, right.map((one) => one.trimEnd()).join('\n---\n'));
      const assay = (...args: string[]) =>
        execFileSync(process.execPath, [join(ROOT, 'bin', 'assay.js'), ...args], {
          cwd: folder,
          env: { PATH: path, HOME: folder, ASSAY_HOME: join(folder, 'home') },
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        });
      const set = ['--set', 'question=$(touch /tmp/assay-owned) `id`'];
      expect(assay('plan', file, ...set).match(/^Scenarios$/gm)).toHaveLength(right.length);
      expect(assay('resolve', file, '--doc', '1', ...set)).toContain('$(touch /tmp/assay-owned) `id`');
      expect(existsSync(tripped), existsSync(tripped) ? readFileSync(tripped, 'utf8') : '').toBe(false);
      expect(existsSync('/tmp/assay-owned')).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('because processes are started with lists of arguments, never with a line for a shell', () => {
    const sources = globSync('{src,activities,workflows}/**/*.ts', { cwd: ROOT });
    expect(sources.length).toBeGreaterThan(100);
    for (const file of sources) {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const imported = /import \{([^}]*)\} from 'node:child_process'/.exec(source)?.[1] ?? '';
      expect(
        imported.split(',').map((s) => s.trim()),
        file,
      ).not.toContain('exec');
      expect(imported, file).not.toContain('execSync');
      expect(source, file).not.toMatch(/shell:\s*true/);
    }
  });
});
