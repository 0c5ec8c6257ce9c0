import { readFileSync } from 'node:fs';
import type { ToolRun } from '../../../src/lab/tools/tool-error.ts';

/** What a tool of Kafka 4.3.1 really printed: `$ command`, `exit N …`, `--stdout`, its lines, `--stderr`, its lines. */
export function recorded(name: string): ToolRun {
  const text = readFileSync(new URL(`./fixtures/tools/${name}.txt`, import.meta.url), 'utf8');
  const match = /^\$ .*\nexit (\d+).*\n--stdout\n([\s\S]*?)--stderr\n([\s\S]*)$/.exec(text);
  if (match === null) throw new Error(`${name} is no recorded run`);
  const [, code, stdout = '', stderr = ''] = match;
  return { code: Number(code), stdout, stderr };
}
