import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import type { Reporter, TestModule } from 'vitest/node';

const PAGE = new URL('../LAST-RUN.md', import.meta.url);
const HEAD = `# The last run of each file

Written by \`npm run test:cluster:all\` (and by \`npx vitest … --reporter=test/cluster/support/table-reporter.ts\`): a file that ran
replaces its row, the others stay as they were.

| file | tests | passed | failed | seconds | ended (UTC) | cores | load at its end |
| --- | --- | --- | --- | --- | --- | --- | --- |
`;

/** Keeps the table of what was last seen of each file of cluster tests. */
export default class TableReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const name = module.relativeModuleId.replace(/^test\/cluster\//, '').replace(/\.test\.ts$/, '');
    const tests = [...module.children.allTests()];
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const passed = count('passed');
    // What a broken hook kept from running has failed too.
    const failed = module.state() === 'failed' ? Math.max(count('failed'), tests.length - passed) : 0;
    const seconds = Math.round(module.diagnostic().duration / 1000);
    const ended = new Date().toISOString().slice(0, 16).replace('T', ' ');
    const cells = [name, tests.length, passed, failed, seconds, ended, availableParallelism()];
    const rows = new Map(rowsOf(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''));
    rows.set(name, `| ${[...cells, (loadavg()[0] ?? 0).toFixed(1)].join(' | ')} |`);
    const lines = [...rows.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    writeFileSync(PAGE, `${HEAD}${lines.join('\n')}\n`);
  }
}

function rowsOf(page: string): readonly (readonly [string, string])[] {
  return page.split('\n').flatMap((line) => {
    const name = /^\| ([\w/-]+) \| \d/.exec(line)?.[1];
    return name === undefined ? [] : [[name, line] as const];
  });
}
