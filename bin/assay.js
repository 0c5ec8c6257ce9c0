#!/usr/bin/env node
// Plain JavaScript on purpose: it must run under whatever Node the host has. Assay's own code needs Node 24 (it runs
// TypeScript by stripping types), which npm installed beside it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// NO_COLOR wins; Node would warn of every command that has both.
if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const main = join(root, 'src', 'cli', 'main.ts');

if (Number(process.versions.node.split('.')[0]) < 24) runUnder(pinnedNode());
else {
  // Stripped and compiled code is kept: a command starts in half the time. Where it cannot be written, it is not.
  nodeModule.enableCompileCache?.(join(root, 'node_modules', '.cache', 'node-compile'));
  await import(pathToFileURL(main).href);
}

function pinnedNode() {
  try {
    const folder = dirname(nodeModule.createRequire(import.meta.url).resolve('node/package.json'));
    const node = join(folder, 'bin', 'node');
    if (existsSync(node)) return node;
  } catch {
    // Not installed: said below.
  }
  process.stderr.write(
    `assay: it needs Node 24, this is ${process.versions.node}, and the pinned one is not installed. Run \`npm ci\` in ${root}.\n`,
  );
  return process.exit(5);
}

function runUnder(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl-C reaches the child by itself as well; a second SIGINT at once does nothing there (see cli/interrupt.ts).
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`assay: ${node} does not start: ${error.message}\n`);
    process.exit(5);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
