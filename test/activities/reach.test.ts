import { beforeEach, describe, expect, it } from 'vitest';
import { identities, requireAlive, requireSameHosts } from '../../activities/identities.ts';
import type { Prepared } from '../../activities/contract.ts';
import { askLab, reach } from '../../activities/reach.ts';
import { CapsuleError } from '../../src/lab/capsule/capsule-error.ts';
import type { LabState } from '../../src/lab/lab.ts';
import { apiDown, BEAT, benchOf, brokenHost, goneError, said, silence } from './bench-support.ts';

const QUICK = { hostMs: 40, labMs: 120, everyMs: 1 };
const NO_BROKERS: LabState = { brokers: [], identity: '' };

beforeEach(() => said.splice(0));

/** Fails so often, then answers. */
function after(times: number, error: () => Error): () => Promise<string> {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries <= times) throw error();
    return Promise.resolve('answer');
  };
}

describe('a step on a host', () => {
  it('is null at once when its pod is gone', async () => {
    expect(await reach(benchOf({}), 'client c1', BEAT, after(99, goneError), QUICK)).toBeNull();
    expect(said).toEqual([]);
  });

  it('is null at once when it is silent and the lab knows that it is lost', async () => {
    const bench = benchOf({ lost: async () => Promise.resolve(['client c1']) });
    expect(await reach(bench, 'client c1', BEAT, after(99, silence), QUICK)).toBeNull();
    expect(said).toEqual([]);
  });

  it('waits while nobody answers for the lab, says so, and goes on', async () => {
    let down = 3;
    const lost = async () => {
      down -= 1;
      if (down > 0) throw apiDown();
      return Promise.resolve([]);
    };
    expect(await reach(benchOf({ lost }), 'client c1', BEAT, after(4, silence), QUICK)).toBe('answer');
    expect(said[0]).toMatch(/^waiting for the API of the cluster/);
    expect(said.at(-1)).toMatch(/^waiting for client c1/);
  });

  it('never calls a host gone because the API is: the error remains, for another try', async () => {
    const bench = benchOf({ lost: async () => Promise.reject(apiDown()) });
    await expect(reach(bench, 'client c1', BEAT, after(1e9, silence), QUICK)).rejects.toMatchObject({
      code: 'transport',
    });
  });

  it('is null when it stays silent while the lab itself answers', async () => {
    expect(await reach(benchOf({}), 'client c1', BEAT, after(1e9, silence), QUICK)).toBeNull();
  });

  it('does not wait for what no waiting mends', async () => {
    const invalid = () => new CapsuleError('invalid', 'a bad name');
    await expect(reach(benchOf({}), 'client c1', BEAT, after(1, invalid), QUICK)).rejects.toThrow('a bad');
  });
});

it('the lab is asked again until it answers, or time is up', async () => {
  expect(await askLab(BEAT, after(3, apiDown), QUICK)).toBe('answer');
  await expect(askLab(BEAT, after(1e9, apiDown), QUICK)).rejects.toMatchObject({ code: 'unreachable' });
});

describe('identities', () => {
  const prepared = (of: Record<string, string>) => ({ identities: of }) as unknown as Prepared;

  it('survive an API that is down for a moment', async () => {
    let down = 2;
    const inspect = async () => {
      down -= 1;
      if (down > 0) throw apiDown();
      return Promise.resolve(NO_BROKERS);
    };
    const host = { ...brokenHost(silence), identity: async () => Promise.resolve({ bootId: 'b' }) };
    expect(await identities(benchOf({ inspect, client: () => host }), BEAT)).toEqual({
      'client c1': '{"bootId":"b"}',
    });
  });

  it('of a client that is gone void the attempt: host-gone at prepare, host-replaced before the load', async () => {
    const inspect = async () => Promise.resolve(NO_BROKERS);
    const bench = benchOf({ inspect, client: () => brokenHost(goneError) });
    await expect(requireAlive(bench, BEAT)).rejects.toMatchObject({ type: 'host-gone' });
    await expect(requireSameHosts(bench, prepared({ 'client c1': 'x' }), BEAT)).rejects.toMatchObject({
      type: 'host-replaced',
    });
  });
});
