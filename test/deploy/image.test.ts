import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPLOY } from './manifests.ts';

const ROOT = join(DEPLOY, '..');
const STAGE = join(DEPLOY, 'image/stage.sh');
let folder: string;
let app: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-image-'));
  app = join(folder, 'app');
  for (const part of ['packages', 'source']) execFileSync(STAGE, [part, folder], { stdio: 'pipe' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (...args: string[]): string =>
  execFileSync(join(app, 'node_modules/node/bin/node'), args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', HOME: folder, NO_COLOR: '1' },
    stdio: 'pipe',
  });

describe('what goes into the worker image', () => {
  it('is enough for the command line', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(node(join(app, 'bin/assay.js'), '--version')).toContain(version);
    const spec = join(folder, 'spec.yaml');
    writeFileSync(
      spec,
      'name: s\nquestion: q?\nfactors: { b: { set: producers.*.config.batch.size, levels: [4KiB, 64KiB] } }\n',
    );
    expect(node(join(app, 'bin/assay.js'), 'plan', spec)).toContain('batch.size');
  });

  it('is enough for the workflows and for everything that an activity loads later', () => {
    const modules = [...imported(app)].filter((name) => !builtinModules.includes(name.replace(/^node:/, '')));
    expect(modules).toContain('@kubernetes/client-node');
    expect(modules).toContain('@aws-sdk/client-ec2');
    writeFileSync(join(app, 'load.mjs'), modules.map((name) => `await import('${name}');`).join('\n'));
    expect(node(join(app, 'load.mjs'))).toBe('');
    const bundle = `
      import { bundleWorkflowCode } from '@temporalio/worker';
      const { code } = await bundleWorkflowCode({ workflowsPath: '${app}/workflows/index.ts' });
      console.log(code.length > 100_000);`;
    writeFileSync(join(app, 'bundle.mjs'), bundle);
    expect(node(join(app, 'bundle.mjs')).trim().split('\n').at(-1)).toBe('true');
  });

  it('has no tests, no tools of developers, and natives of this machine alone', () => {
    expect(
      readdirSync(app)
        .filter((name) => !/^(load|bundle)\.mjs$/.test(name))
        .toSorted(),
    ).toEqual(['activities', 'bin', 'deploy', 'node_modules', 'package.json', 'schema', 'src', 'workflows']);
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const packages = readdirSync(join(app, 'node_modules'));
    for (const name of ['vitest', 'oxlint', 'typescript', 'knip', 'vite']) {
      expect(Object.keys(devDependencies)).toContain(name);
      expect(packages).not.toContain(name);
    }
    expect(readdirSync(join(app, 'node_modules/@temporalio/core-bridge/releases'))).toHaveLength(1);
  });

  it('is small', () => {
    const [size] = execFileSync('du', ['-sm', app], { encoding: 'utf8' }).split('\t');
    expect(Number(size)).toBeLessThan(400);
  });

  it('comes into the build as a whole, and nothing else does', () => {
    const context = readFileSync(join(DEPLOY, 'Dockerfile.dockerignore'), 'utf8').match(/^!.+$/gm) ?? [];
    const staged = /^source=\((.+)\)$/m.exec(readFileSync(STAGE, 'utf8'))?.[1]?.split(' ') ?? [];
    const needed = [...staged, 'package-lock.json', 'deploy/image'].map((name) => `!${name}`);
    expect(context.toSorted()).toEqual(needed.toSorted());
  });
});

/** Packages that any file of the image imports, statically or when it is needed. */
function imported(root: string): Set<string> {
  const files = ['src', 'activities', 'workflows'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(root, room, file),
    ),
  );
  const names = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(
        /^import (?!type )[^;]*?from '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm,
      ),
    ])
    .flatMap(([, plain, later]) => plain ?? later ?? [])
    // The sandbox of workflows is no module of a process.
    .filter((name) => name !== '@temporalio/workflow');
  return new Set(names);
}
