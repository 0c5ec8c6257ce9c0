// npm run bench -- [a b c d e] [--quick] [--out FILE]: measures Assay itself and writes docs/benchmarks.md.
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Finding } from './benchmark.ts';
import { instruments } from './instruments.ts';
import { cleanUpOnSignals, interrupted } from './interrupt.ts';
import { logReading } from './log-reading.ts';
import { loadNow, machineText, stealWatch } from './machine.ts';
import { writeSection } from './page.ts';
import { samplerCost } from './sampler-cost.ts';
import { startUp } from './start-up.ts';
import { wholeRun } from './whole-run.ts';

const BENCHMARKS: readonly Benchmark[] = [wholeRun, instruments, samplerCost, logReading, startUp];
const PAGE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
const USAGE = `usage: npm run bench -- [${BENCHMARKS.map((b) => b.key).join(' ')}] [--quick] [--out FILE]
  --quick   a try at small scale; printed, and written only with --out
  --out     the page to write into (docs/benchmarks.md)
`;

function say(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

/** One section as it stands in the page: figures, targets, and what they were taken on. */
async function measured(benchmark: Benchmark, quick: boolean): Promise<string> {
  const from = performance.now();
  const loadBefore = loadNow();
  const steal = stealWatch();
  const { markdown, targets }: Finding = await benchmark.run({ quick, say });
  const stolen = steal();
  const conditions = [
    `${new Date().toISOString().slice(0, 10)}, \`npm run bench -- ${benchmark.key}${quick ? ' --quick' : ''}\``,
    `took ${Math.round((performance.now() - from) / 1000)} s`,
    `load average ${loadBefore.toFixed(1)} before, ${loadNow().toFixed(1)} after`,
    `steal ${stolen === null ? 'unknown' : `${(stolen * 100).toFixed(1)} %`}`,
    await machineText(),
  ];
  return [
    ...(quick ? ['**A try at small scale: not a measurement.**'] : []),
    markdown,
    targets.map(({ text, met }) => `- ${met ? '✓' : '✗'} ${text}`).join('\n'),
    `*${conditions.join('; ')}.*`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false }, out: { type: 'string' } },
  });
  const unknown = positionals.filter((key) => !BENCHMARKS.some((b) => b.key === key));
  if (unknown.length > 0) {
    process.stderr.write(`There is no benchmark ${unknown.join(', ')}.\n${USAGE}`);
    return 2;
  }
  const chosen = BENCHMARKS.filter((b) => positionals.length === 0 || positionals.includes(b.key));
  const page = values.out ?? (values.quick ? null : PAGE);
  cleanUpOnSignals(say);
  let failed = 0;
  for (const benchmark of chosen) {
    if (interrupted()) break;
    say(`${benchmark.key}: ${benchmark.title}`);
    try {
      const section = await measured(benchmark, values.quick);
      process.stdout.write(`\n## (${benchmark.key}) ${benchmark.title}\n\n${section}\n\n`);
      if (page !== null) writeSection(page, benchmark.key, section);
    } catch (error) {
      failed += 1;
      say(
        `${benchmark.key} could not be measured: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return failed === 0 ? 0 : 1;
}

const code = await main();
// Ends also when a part has left something open behind it; interrupted, the cleanup ends the process.
if (!interrupted()) process.exit(code);
