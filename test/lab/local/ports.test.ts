import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFree, portRange, portsOf, releasePorts, takePorts } from '../../../src/lab/local/ports.ts';

let dir: string;
const lab = (name: string) => {
  mkdirSync(join(dir, name), { recursive: true });
  return join(dir, name);
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-ports-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** A port that was free a moment ago, and the next ones up. */
async function freeRange(length: number): Promise<number> {
  for (let from = 25_000; from < 32_000; from += length) {
    const free = await Promise.all(Array.from({ length }, (_, i) => isFree(from + i)));
    if (free.every(Boolean)) return from;
  }
  throw new Error('no free range');
}

describe('ports of a lab', () => {
  it('lie below the ephemeral range', () => {
    expect(portRange('32768\t60999\n')).toEqual({ from: 20_000, to: 32_768 });
    expect(portRange('24000 60999')).toEqual({ from: 20_000, to: 24_000 });
    expect(portRange('1024\t65535')).toEqual({ from: 20_000, to: 30_000 });
  });

  it('skip what is taken, stay with their lab, and never go to two labs that ask at once', async () => {
    const from = await freeRange(12);
    const server = createServer().listen(from + 1, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const range = { from, to: from + 12 };
    try {
      const [a, b] = await Promise.all([
        takePorts(dir, lab('a'), 4, range),
        takePorts(dir, lab('b'), 4, range),
      ]);
      expect([...a, ...b].includes(from + 1)).toBe(false);
      expect(new Set([...a, ...b]).size).toBe(8);
      expect(await takePorts(dir, lab('a'), 4, range)).toEqual(a);
      expect(portsOf(dir, lab('a'))).toEqual(a);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('come back when they are released or their lab folder is gone; none left is one clear message', async () => {
    const from = await freeRange(2);
    const range = { from, to: from + 2 };
    await takePorts(dir, lab('a'), 2, range);
    await expect(takePorts(dir, lab('b'), 2, range)).rejects.toMatchObject({
      code: 'no-ports',
      message: `The lab needs 2 free ports on 127.0.0.1 between ${from} and ${from + 1}; 0 are free.`,
    });
    rmSync(join(dir, 'a'), { recursive: true });
    expect(await takePorts(dir, lab('b'), 2, range)).toHaveLength(2);
    releasePorts(dir, lab('b'));
    expect(portsOf(dir, lab('b'))).toEqual([]);
    expect(await takePorts(dir, lab('c'), 2, range)).toHaveLength(2);
  });
});
