import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bench } from '../../activities/bench.ts';
import { putPayload } from '../../activities/payloads.ts';
import { corpus } from '../../src/design/corpus.ts';
import type { FilePayload, PayloadPlan, RandomPayload } from '../../src/design/plan.ts';
import { InfrastructureError } from '../../src/lab/errors.ts';
import { payloadFile } from '../../src/lab/home.ts';
import { createLocalHost } from '../../src/lab/local/local-host.ts';
import { privateHome, type PrivateHome } from '../support/private-home.ts';

const CONTENT = 'one\ntwo\nthree';
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');
const FILE: FilePayload = {
  name: 'file-x',
  kind: 'file',
  file: 'records.jsonl',
  sha256: SHA256,
  bytes: CONTENT.length,
  lines: 3,
  recordBytes: 11 / 3,
};
const RANDOM: RandomPayload = { name: 'random-x', kind: 'random', lines: 10, recordBytes: 50, seed: 1 };

let own: PrivateHome;
beforeEach(async () => {
  own = await privateHome();
});
afterEach(() => own.remove());

/** As much of an open experiment as payloads need: its plan, its home and one client host. */
function bench(payloads: readonly PayloadPlan[]): Bench {
  const host = createLocalHost({ name: 'c1', root: join(own.home.root, 'c1') });
  return { home: own.home, plan: { payloads }, lab: { client: () => host } } as unknown as Bench;
}

function keep(content: string): void {
  const path = payloadFile(own.home, SHA256);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

describe('payloads on a client host', () => {
  it('random lines are made from the seed', async () => {
    const path = await putPayload(bench([RANDOM]), 'random-x', 'c1');
    expect(readFileSync(path)).toEqual(Buffer.from(corpus(RANDOM)));
  });

  it("a user's file arrives byte by byte", async () => {
    keep(CONTENT);
    expect(readFileSync(await putPayload(bench([FILE]), 'file-x', 'c1'), 'utf8')).toBe(CONTENT);
  });

  it('a file that is not in the home is refused, with what to do; once it is there it is taken', async () => {
    const open = bench([FILE]);
    const refused = await putPayload(open, 'file-x', 'c1').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InfrastructureError);
    expect(String(refused)).toContain('records.jsonl');
    expect((refused as InfrastructureError).fix).toContain(payloadFile(own.home, SHA256));
    keep(CONTENT);
    await expect(putPayload(open, 'file-x', 'c1')).resolves.toMatch(/\.txt$/);
  });

  it('a file that was changed since is refused', async () => {
    keep(`${CONTENT}!`);
    await expect(putPayload(bench([FILE]), 'file-x', 'c1')).rejects.toThrow(
      'is not the one that was planned',
    );
  });
});
