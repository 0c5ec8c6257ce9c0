import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-lint-'));
  cpSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rules that a file at this place breaks when it holds this text. */
function broken(file: string, text: string): string[] {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  try {
    const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
    const out = execFileSync(process.execPath, [oxlint, '--format=json', file], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return rulesOf(out);
  } catch (error) {
    return rulesOf((error as { stdout: string }).stdout);
  } finally {
    rmSync(path);
  }
}

function rulesOf(json: string): string[] {
  const { diagnostics } = JSON.parse(json) as { diagnostics: { code: string }[] };
  return diagnostics.map((d) => d.code).filter((code) => code.includes('no-restricted'));
}

const imports = (from: string): string => `import * as x from '${from}';\nexport const y = x;\n`;

describe('the import rule', () => {
  it.each([
    ['src/spec/a.ts', '../design/plan.ts'],
    ['src/spec/sections/a.ts', '../../design/plan.ts'],
    ['src/spec/a.ts', 'yaml'],
    ['src/spec/a.ts', './read-yaml.ts'],
    ['src/design/a.ts', 'node:fs'],
    ['src/design/a.ts', '../measure/reasons.ts'],
    ['src/measure/a.ts', '../analysis/analyse.ts'],
    ['src/measure/a.ts', '../lab/host.ts'],
    ['src/analysis/a.ts', '../store/store.ts'],
    ['src/analysis/statistics/a.ts', '../../measure/reasons.ts'],
    ['src/analysis/statistics/a.ts', '../../design/plan.ts'],
    ['src/analysis/statistics/a.ts', '../effects.ts'],
    ['src/design/statistics/a.ts', '../plan.ts'],
    ['workflows/a.ts', '../activities/load.ts'],
    ['workflows/a.ts', '../activities/collect.ts'],
    ['workflows/a.ts', '../src/lab/errors.ts'],
    ['workflows/a.ts', '../src/temporal/connection.ts'],
    ['workflows/a.ts', 'node:fs'],
    ['activities/a.ts', '../src/cli/main.ts'],
    ['activities/a.ts', '../workflows/trial.ts'],
    ['src/lab/a.ts', '../cli/main.ts'],
    ['src/report/a.ts', '../../activities/contract.ts'],
  ])('%s may not import %s', (file, from) => {
    expect(broken(file, imports(from))).not.toEqual([]);
  });

  it.each([
    ['src/spec/sections/a.ts', '../values.ts'],
    ['src/design/a.ts', '../spec/schema.ts'],
    ['src/measure/a.ts', '../design/plan.ts'],
    ['src/analysis/a.ts', '../measure/reasons.ts'],
    ['src/analysis/statistics/a.ts', '../../design/statistics/student-t.ts'],
    ['workflows/a.ts', '../activities/contract.ts'],
    ['workflows/a.ts', '../src/temporal/status.ts'],
    ['activities/a.ts', '../src/lab/host.ts'],
    ['src/cli/a.ts', '../../workflows/trial.ts'],
  ])('%s may import %s', (file, from) => {
    expect(broken(file, imports(from))).toEqual([]);
  });

  it('pure rooms have no clock and no chance', () => {
    expect(broken('src/design/a.ts', 'export const y = Date.now();\n')).not.toEqual([]);
    expect(broken('src/analysis/a.ts', 'export const y = Math.random();\n')).not.toEqual([]);
  });
});
