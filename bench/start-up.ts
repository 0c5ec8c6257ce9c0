import { fileURLToPath } from 'node:url';
import { median } from '../src/analysis/statistics/describe.ts';
import { findProgram } from '../src/lab/local/java.ts';
import type { Benchmark, BenchmarkContext, Finding } from './benchmark.ts';
import { table } from './page.ts';
import { spreadText } from './pairs.ts';
import { runWell } from './run.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMMAND = ['bin/assay.js', 'validate', 'examples/first-look.yaml'];
const TARGET_S = 1;

/** (e) From starting `assay validate` until it has ended. */
export const startUp: Benchmark = {
  key: 'e',
  title: 'From `assay validate` to its exit',
  run: measure,
};

async function measure({ quick, say }: BenchmarkContext): Promise<Finding> {
  const n = quick ? 5 : 25;
  const pinned = process.execPath;
  const system = systemNode();
  const ways = [
    { name: 'Node 24, code cache warm (as `npx assay` starts it)', node: pinned, env: {} },
    {
      name: 'Node 24, without the code cache (as on the first start)',
      node: pinned,
      env: { NODE_DISABLE_COMPILE_CACHE: '1' },
    },
    ...(system === null
      ? []
      : [{ name: `${system.version}, which starts the pinned Node 24`, node: system.path, env: {} }]),
  ];
  const seconds = ways.map((): number[] => []);
  for (let i = -1; i < n; i += 1) {
    for (const [at, { node, env }] of ways.entries()) {
      const { wallMs } = await runWell(node, COMMAND, { cwd: ROOT, env: { ...cleanEnv(), ...env } });
      // The first round fills the caches.
      if (i >= 0) seconds[at]?.push(wallMs / 1000);
    }
  }
  say(`e: ${n} starts each of ${ways.length} kinds`);
  const rows = ways.map(({ name }, at) => [name, spreadText(seconds[at] ?? [], 3), String(n)]);
  const warm = median(seconds[0] ?? []);
  return {
    markdown: table(['', 'wall time, s: median (least to most)', 'n'], rows),
    targets: [{ text: `warm median below ${TARGET_S} s: ${warm.toFixed(3)} s`, met: warm < TARGET_S }],
  };
}

/** npm puts the pinned Node first in PATH; what the user has is behind it. */
function systemNode(): { path: string; version: string } | null {
  const path = findProgram('node', { PATH: pathWithoutModules() });
  return path === null ? null : { path, version: 'the Node of this machine' };
}

function pathWithoutModules(): string {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.filter((f) => !f.includes('node_modules')).join(':');
}

/** Without what npm and this process's own start added. */
function cleanEnv(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (/^npm_|^NODE_/.test(name)) delete env[name];
  return env;
}
