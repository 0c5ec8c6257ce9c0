import type { Beat } from '../../activities/beat.ts';
import type { Bench } from '../../activities/bench.ts';
import type { TrialInput } from '../../activities/contract.ts';
import { CapsuleError } from '../../src/lab/capsule/capsule-error.ts';
import type { Host } from '../../src/lab/host.ts';
import { ClusterError } from '../../src/lab/kubernetes/api/cluster-error.ts';
import type { Lab } from '../../src/lab/lab.ts';

export const REF = { key: 'exp-1a2b', workflowId: 'exp', store: '/nowhere', remote: true } as const;

/** Trial 1 of scenario `s`, with one producer `p`. */
export const TRIAL = {
  ref: REF,
  hostQueue: 'q',
  block: 1,
  pass: null,
  scenario: 's',
  attempt: 1,
  position: 1,
  counts: { p: 10 },
  rampMs: 0,
  loadLimitMs: 1_000,
  settleLimitMs: 1_000,
  drainLimitMs: 1_000,
  searchAttributes: [],
} as unknown as TrialInput;

export const said: string[] = [];
export const BEAT: Beat = {
  say: (details) => void said.push(details.text),
  signal: new AbortController().signal,
};

export const goneError = () => new CapsuleError('gone', 'pods "client-c1" not found');
export const silence = () => new CapsuleError('transport', 'The connection failed.');
export const apiDown = () => new ClusterError('unreachable', 'list Pod', 'no answer.');

/** As much of an open experiment with client c1 as these activities need. */
export function benchOf(lab: Partial<Lab>, more: Record<string, unknown> = {}): Bench {
  const plan = {
    lab: { clients: { names: ['c1'] } },
    scenarios: [
      {
        slug: 's',
        topics: [{ name: 'main' }],
        loads: [{ name: 'p', kind: 'producer', topic: 'main', on: 'c1' }],
      },
    ],
  };
  return {
    ref: REF,
    plan,
    lab: { lost: async () => Promise.resolve([]), ...lab },
    ...more,
  } as unknown as Bench;
}

/** A host of which nothing answers but by this error. */
export function brokenHost(error: () => Error): Host {
  const fail = async (): Promise<never> => {
    throw error();
  };
  const pathOf = (name: string, file: string) => `/${name}/${file}`;
  return {
    name: 'c1',
    pathOf,
    identity: fail,
    launch: fail,
    poll: fail,
    kill: fail,
    remove: fail,
    list: fail,
    readFile: fail,
    putFile: fail,
  };
}
