import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { specSchema } from '../../src/spec/schema.ts';
import { allKeyPaths, keysAt } from '../../src/spec/schema-keys.ts';

describe('docs/spec.md', () => {
  const page = readFileSync(new URL('../../docs/spec.md', import.meta.url), 'utf8');

  it('speaks of every key that the schema knows, those of later versions included', () => {
    const sections = [
      'lab',
      'lab.brokers',
      'lab.clients',
      'payload',
      'payload.json',
      'topics',
      'producers',
      'factors',
      'scenarios',
      'design',
      'design.budget',
      'window',
      'settle',
      'store',
    ];
    const missing = allKeyPaths(specSchema).filter(
      (path) => !sections.includes(path) && !page.includes(`\`${path}\``),
    );
    expect(missing).toEqual([]);
    expect(allKeyPaths(specSchema).length).toBeGreaterThan(70);
  });

  it('speaks of no key that the schema does not know', () => {
    const known = new Set(allKeyPaths(specSchema));
    const named = [
      ...page.matchAll(
        /^\| `((?:lab|payload|topics|producers|factors|scenarios|design|window|settle|store)\.[\w.*]+)`/gm,
      ),
    ].map((m) => m[1] ?? '');
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((path) => !known.has(path))).toEqual([]);
  });
});

describe('keysAt', () => {
  it('knows the keys behind defaults, transforms, maps and unions', () => {
    expect(keysAt(specSchema, ['lab', 'clients'])).toEqual(['count', 'apart', 'heap']);
    expect(keysAt(specSchema, ['producers', 'p'])).toContain('records');
    expect(keysAt(specSchema, ['design', 'warmup'])).toEqual(['passes', 'agree']);
    expect(keysAt(specSchema, [])).not.toContain('consumers');
    expect(keysAt(specSchema, ['nowhere'])).toEqual([]);
  });
});
