import * as fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { corpus, corpusSha256 } from '../../src/design/corpus.ts';
import type { JsonPayload } from '../../src/design/plan.ts';
import { payloadTooSmall, SMALLEST_LINE_BYTES } from '../../src/spec/payload-size.ts';

const payload = (p: Partial<JsonPayload> = {}): JsonPayload => ({
  name: 'p',
  kind: 'json',
  lines: 500,
  recordBytes: 1008,
  padding: 0,
  seed: 1,
  ...p,
});
const linesOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes).split('\n');

describe('corpus', () => {
  it('is these bytes for this seed, on every machine and in every later version', () => {
    expect(corpusSha256(corpus(payload()))).toBe(
      'e7fbe0ab38a2cd7da57b7e9a1c04ef2197ae5ed0fafa72b6e9f16ce107addd11',
    );
  });

  it('has lines of exactly the asked length, each a JSON object, all different', () => {
    const asked = fc.record({
      recordBytes: fc.integer({ min: SMALLEST_LINE_BYTES, max: 3_000 }),
      padding: fc.integer({ min: 0, max: 95 }).map((n) => n / 100),
      seed: fc.nat(1_000),
    });
    fc.assert(
      fc.property(asked, (p) => {
        fc.pre(payloadTooSmall(p.recordBytes, p.padding) === null);
        const lines = linesOf(corpus(payload({ ...p, lines: 20 })));
        expect(lines).toHaveLength(20);
        expect(new Set(lines).size).toBe(20);
        for (const line of lines) {
          expect(new TextEncoder().encode(line)).toHaveLength(p.recordBytes);
          const record = JSON.parse(line) as { msg: string; pad?: string };
          expect(record.msg.length).toBeGreaterThan(0);
          expect(record.pad?.length ?? 0).toBe(Math.round(p.recordBytes * p.padding));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("has the reference's padding as one setting", () => {
    const [line = ''] = linesOf(corpus(payload({ padding: 0.63, lines: 1 })));
    expect(/x{635}"}$/.test(line)).toBe(true);
    expect(line).toHaveLength(1008);
  });

  it('compresses like logs when unpadded, and far better when padded', () => {
    const ratio = (p: JsonPayload) => corpus(p).length / gzipSync(corpus(p)).length;
    const plain = ratio(payload());
    expect(plain).toBeGreaterThan(2);
    expect(plain).toBeLessThan(6);
    expect(ratio(payload({ padding: 0.63 }))).toBeGreaterThan(plain * 1.5);
  });

  it('differs by seed, and by load only in its order', () => {
    expect(corpus(payload({ seed: 2 }))).not.toEqual(corpus(payload()));
    const [first, second, third] = [0, 1, 2].map((i) => linesOf(corpus({ ...payload(), variant: i })));
    expect(first).toEqual(linesOf(corpus(payload())));
    expect(second).not.toEqual(first);
    expect(third).not.toEqual(second);
    expect(second?.toSorted()).toEqual(first?.toSorted());
  });

  it('refuses a record without room for a line, as the spec check does', () => {
    expect(() => corpus(payload({ recordBytes: 95 }))).toThrow('needs 96 B');
    expect(() => corpus(payload({ recordBytes: 200, padding: 0.5 }))).toThrow(
      'Make size larger or padding smaller',
    );
  });
});
