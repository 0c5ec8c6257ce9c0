import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSpec } from '../../src/spec/read-yaml.ts';
import { keyRows } from '../../src/spec/reference.ts';
import { referencePage } from '../../src/spec/reference-page.ts';
import { specSchema } from '../../src/spec/schema.ts';
import { allKeyPaths, keysAt } from '../../src/spec/schema-keys.ts';

const page = readFileSync(new URL('../../docs/spec.md', import.meta.url), 'utf8');

describe('docs/spec.md', () => {
  it('is current: `npm run reference` would change nothing', () => {
    expect(referencePage(page)).toBe(page);
  });

  it('speaks of every key that the schema knows', () => {
    const missing = allKeyPaths(specSchema)
      .filter((path) => !path.startsWith('topics.*.fill.payload.'))
      .filter((path) => !page.includes(`| \`${path}\` |`));
    expect(missing).toEqual([]);
    expect(allKeyPaths(specSchema).length).toBeGreaterThan(150);
  });

  it('holds specs that are valid as they stand', () => {
    const specs = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)]
      .map((match) => match[1] ?? '')
      .filter((text) => text.startsWith('name:'));
    expect(specs.length).toBeGreaterThan(1);
    for (const text of specs) expect(readSpec(text, 'docs/spec.md')).toMatchObject({ ok: true });
  });

  it('refuses a marker of no section, and a key that stands in no table', () => {
    expect(() => referencePage('<!-- keys: nowhere -->\n<!-- /keys -->')).toThrow('nowhere');
    expect(() => referencePage('<!-- keys: settle -->\n<!-- /keys -->')).toThrow('producers.*.rate');
  });
});

describe('rows of keys', () => {
  const row = (path: string) => keyRows().find((one) => one.path === path);

  it('say of every key what it means', () => {
    expect(keyRows().filter((one) => one.meaning === '')).toEqual([]);
  });

  it.each([
    ['name', 'text', 'needed'],
    ['payload.json.size', 'size', '`1008B`'],
    ['producers.*.rate', 'rate', '`max`'],
    ['producers.*.for', 'time', ''],
    ['design.blocks', '1 to 200', ''],
    ['settle.method', '`wait`, `sync`', '`wait`'],
    ['window.ramp', '`auto` or time', '`auto`'],
    ['topics.*.config', 'map of properties', ''],
    ['search.from', 'rate', 'needed'],
  ])('%s: %s, default %s', (path, written, byDefault) => {
    expect(row(path)).toMatchObject({ written, default: byDefault });
  });
});

describe('keysAt', () => {
  it('knows the keys behind defaults, transforms, maps and unions', () => {
    expect(keysAt(specSchema, ['lab', 'clients'])).toEqual(['count', 'apart', 'heap']);
    expect(keysAt(specSchema, ['producers', 'p'])).toContain('records');
    expect(keysAt(specSchema, ['design', 'warmup'])).toEqual(['passes', 'agree']);
    expect(keysAt(specSchema, ['nowhere'])).toEqual([]);
  });
});
