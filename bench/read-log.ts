// One reading of a log in a process of its own, so that its peak memory is known: node read-log.ts KIND FILE ASKED
import { readFileSync } from 'node:fs';
import { readOutput } from '../src/cli/read-output.ts';
import { inspector } from '../src/measure/inspect-lines.ts';
import { inspect } from '../src/measure/inspect.ts';
import { producerReader } from '../src/measure/producer.ts';
import type { ToolErrors } from '../src/measure/stderr.ts';
import { finalLine, type LogKind } from './make-log.ts';

/** What stands on stdout, as JSON. */
export interface LogRead {
  /** From opening the file to the verdict; without the start of the process. */
  readonly tookMs: number;
  /** Of the same time: what it cost on a processor, which a busy machine changes less. */
  readonly cpuMs: number;
  /** Of the whole process, Node itself included. */
  readonly peakBytes: number;
  readonly verdict: string;
}

const [kind, file = '', asked = ''] = process.argv.slice(2);

async function verdictOf(kind: LogKind): Promise<string> {
  if (kind === 'stamped') {
    const reader = producerReader({ stamped: true });
    await readOutput(file, (chunk) => reader.push(chunk));
    return reader.end().final?.records === Number(asked) ? 'valid' : 'invalid';
  }
  const reader = inspector();
  await readOutput(file, (chunk) => reader.push(chunk));
  const found = reader.end();
  if (kind === 'intervals')
    return inspect(file, found, { asked: Number(asked), askedRecordsPerS: null, stderr: null }).verdict;
  return ofSmallRun(found.errors);
}

/** The verdict on a small, sound run with this stderr. */
function ofSmallRun(stderr: ToolErrors): string {
  const small = inspector();
  small.push(Buffer.from(finalLine(1000, 0.1)));
  return inspect(file, small.end(), { asked: 1000, askedRecordsPerS: null, stderr }).verdict;
}

/** VmHWM: the most memory that was ever resident. */
function peakBytes(): number {
  return (
    Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? Number.NaN) * 1024
  );
}

const from = performance.now();
const cpuBefore = process.cpuUsage();
const verdict = await verdictOf(kind as LogKind);
const { user, system } = process.cpuUsage(cpuBefore);
const read: LogRead = {
  tookMs: performance.now() - from,
  cpuMs: (user + system) / 1000,
  peakBytes: peakBytes(),
  verdict,
};
process.stdout.write(`${JSON.stringify(read)}\n`);
