import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeLog } from '../../bench/make-log.ts';
import { inspector } from '../../src/measure/inspect-lines.ts';
import { inspect } from '../../src/measure/inspect.ts';
import { producerReader } from '../../src/measure/producer.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-make-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SIZE_BYTES = 200_000;

function made(kind: 'intervals' | 'stamped' | 'text'): { bytes: Buffer; records: number } {
  const file = join(folder, kind);
  const records = makeLog(file, kind, SIZE_BYTES);
  return { bytes: readFileSync(file), records };
}

it('makes a sound run of the size asked for', () => {
  const { bytes, records } = made('intervals');
  expect(bytes.length).toBeGreaterThanOrEqual(SIZE_BYTES);
  const reader = inspector();
  reader.push(bytes);
  const judged = inspect('made', reader.end(), { asked: records, askedRecordsPerS: null, stderr: null });
  expect(judged).toMatchObject({ verdict: 'valid', finalCount: records, tool: 'producer' });
  expect(judged.windows?.lines).toBeGreaterThan(1000);
});

it('makes the same with the stamps of a capsule', () => {
  const { bytes, records } = made('stamped');
  const reader = producerReader({ stamped: true });
  reader.push(bytes);
  const { final, intervals, clock, unreadable } = reader.end();
  expect(final?.records).toBe(records);
  expect(intervals.every((line) => line.stamp !== null)).toBe(true);
  expect([clock.steps, unreadable.lines]).toEqual([0, 0]);
});

it('makes a stderr with failed sends', () => {
  const reader = inspector();
  reader.push(made('text').bytes);
  const { errors, lines } = reader.end();
  expect(errors.failedCallbacks).toBe(Math.floor(lines / 2));
});
