import { assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { experimentKey } from '../../src/design/names.ts';
import type { WorkflowState } from '../../src/janitor/leftover.ts';
import {
  folderVerdict,
  type Marks,
  NOT_FOUND_MS,
  verdictOf,
  type VolumeFacts,
  volumeVerdict,
} from '../../src/janitor/verdict.ts';
import { stateFrom } from '../../src/janitor/workflows.ts';

const KEY = experimentKey('codec', 'run-1');
const EXPIRY = Date.UTC(2026, 11, 1);
const HOUR = 3_600_000;
const AFTER = { nowMs: EXPIRY + 1, ignoreExpiry: false };
const OPEN: WorkflowState = { kind: 'open' };
const CLOSED: WorkflowState = { kind: 'closed', how: 'terminated' };
const NOT_FOUND: WorkflowState = { kind: 'not-found' };
const UNKNOWN: WorkflowState = { kind: 'unknown', why: 'Temporal does not answer: down' };

function marks(changes: Partial<Marks> = {}): Marks {
  const parts = [{ name: 'Pod bench/kafka-0', managed: true, workflowId: 'codec' }];
  return { key: KEY, parts, expiries: [new Date(EXPIRY).toISOString()], ...changes };
}

const withPart = (part: Partial<Marks['parts'][number]>): Marks =>
  marks({
    parts: [
      ...marks().parts,
      { name: 'Service bench/kafka-hs', managed: true, workflowId: 'codec', ...part },
    ],
  });

describe('what carries the marks of an experiment', () => {
  it.each<[string, Marks, WorkflowState, number, boolean, string]>([
    ['open, expired', marks(), OPEN, EXPIRY + 1, false, 'workflow codec runs'],
    ['closed, not expired', marks(), CLOSED, EXPIRY - 1, false, 'it may go from 2026-12-01T00:00:00.000Z on'],
    ['closed, expired', marks(), CLOSED, EXPIRY, true, 'has ended (terminated)'],
    [
      'not found, expired just now',
      marks(),
      NOT_FOUND,
      EXPIRY + 1,
      false,
      'may go from 2026-12-02T00:00:00.000Z',
    ],
    [
      'not found, a day later',
      marks(),
      NOT_FOUND,
      EXPIRY + NOT_FOUND_MS,
      true,
      'Temporal does not know workflow codec',
    ],
    [
      'nobody to ask',
      marks(),
      UNKNOWN,
      EXPIRY + 1,
      false,
      'nobody says whether workflow codec runs: Temporal does',
    ],
    ['no expiry', marks({ expiries: [] }), CLOSED, EXPIRY + 1, false, 'nothing says until when it may live'],
    [
      'an expiry that is no time',
      marks({ expiries: ['soon'] }),
      CLOSED,
      EXPIRY + 1,
      false,
      '"soon" is no time',
    ],
    [
      'one expiry of several is renewed',
      marks({ expiries: ['2026-12-01T00:00:00Z', '2026-12-03T00:00:00Z'] }),
      CLOSED,
      EXPIRY + 1,
      false,
      'it may go from 2026-12-03',
    ],
    [
      'a part names no workflow',
      withPart({ workflowId: null }),
      CLOSED,
      EXPIRY + 1,
      false,
      'Service bench/kafka-hs does not say which workflow made it',
    ],
    [
      'a part names another workflow',
      withPart({ workflowId: 'other' }),
      CLOSED,
      EXPIRY + 1,
      false,
      'several workflows: codec, other',
    ],
    [
      'a part is managed by somebody else',
      withPart({ managed: false }),
      CLOSED,
      EXPIRY + 1,
      false,
      'Service bench/kafka-hs does not say that Assay manages it',
    ],
    [
      'a key of another workflow',
      marks({ key: 'acks-1a2b3c4d' }),
      CLOSED,
      EXPIRY + 1,
      false,
      'is no experiment key of',
    ],
    ['a label that is no key', marks({ key: 'codec' }), CLOSED, EXPIRY + 1, false, 'is no experiment key of'],
    ['nothing at all', marks({ parts: [] }), CLOSED, EXPIRY + 1, false, 'it says nothing of itself'],
  ])('%s', (_, given, state, nowMs, remove, why) => {
    const verdict = verdictOf(given, state, { nowMs, ignoreExpiry: false });
    expect(verdict.remove).toBe(remove);
    expect(verdict.why).toContain(why);
  });

  it.each<[string, Marks, WorkflowState, boolean]>([
    ['closed', marks(), CLOSED, true],
    ['closed, no expiry', marks({ expiries: [] }), CLOSED, true],
    ['open', marks(), OPEN, false],
    ['not found: somebody else may know it', marks(), NOT_FOUND, false],
    ['nobody to ask', marks(), UNKNOWN, false],
    ['not ours', withPart({ workflowId: null }), CLOSED, false],
  ])('before its expiry, when that does not matter: %s', (_, given, state, remove) => {
    expect(verdictOf(given, state, { nowMs: EXPIRY - 1, ignoreExpiry: true }).remove).toBe(remove);
  });

  it('goes only with a workflow that does not run and marks that are whole', () => {
    const states = constantFrom(OPEN, CLOSED, NOT_FOUND, UNKNOWN);
    const given = record({
      state: states,
      nowMs: integer({ min: EXPIRY - 48 * HOUR, max: EXPIRY + 48 * HOUR }),
      workflowId: constantFrom('codec', 'other', null),
      managed: constantFrom(true, false),
      ignoreExpiry: constantFrom(true, false),
    });
    assert(
      property(given, ({ state, nowMs, workflowId, managed, ignoreExpiry }) => {
        const { remove } = verdictOf(withPart({ workflowId, managed }), state, { nowMs, ignoreExpiry });
        if (!remove) return;
        expect([workflowId, managed]).toEqual(['codec', true]);
        expect(['closed', 'not-found']).toContain(state.kind);
        expect(nowMs >= EXPIRY || (ignoreExpiry && state.kind === 'closed')).toBe(true);
      }),
    );
  });
});

describe('an EBS volume', () => {
  const volume: VolumeFacts = {
    id: 'vol-1',
    state: 'available',
    attachedTo: [],
    createdAtMs: EXPIRY - 5 * HOUR,
    retained: false,
    persistentVolume: null,
  };

  it.each<[string, Partial<VolumeFacts>, Marks, boolean, string]>([
    ['free, old, ours and named by nobody', {}, marks(), true, 'has ended'],
    ['in use', { state: 'in-use' }, marks(), false, 'it is in-use'],
    ['attached', { attachedTo: ['i-1'] }, marks(), false, 'it is attached to i-1'],
    ['being deleted', { state: 'deleting' }, marks(), false, 'it is deleting'],
    ['made just now', { createdAtMs: AFTER.nowMs - HOUR + 1 }, marks(), false, 'younger than an hour'],
    ['of unknown age', { createdAtMs: null }, marks(), false, 'EC2 does not say how old it is'],
    [
      'with a PersistentVolume',
      { persistentVolume: 'pv-1' },
      marks(),
      false,
      'PersistentVolume pv-1 names it',
    ],
    ['where nobody may look', { persistentVolume: undefined }, marks(), false, 'nobody could look'],
    ['of a class that retains', { retained: true }, marks(), false, 'retains volumes'],
    [
      'without the tag of a workflow',
      {},
      marks({ parts: [{ name: 'volume vol-1', managed: true, workflowId: null }] }),
      false,
      'does not say which workflow made it',
    ],
    ['without the tag of an expiry', {}, marks({ expiries: [] }), false, 'nothing says until when'],
  ])('%s', (_, changes, given, remove, why) => {
    const verdict = volumeVerdict(given, { ...volume, ...changes }, CLOSED, AFTER);
    expect(verdict.remove).toBe(remove);
    expect(verdict.why).toContain(why);
  });

  it.each([OPEN, UNKNOWN])('of a workflow that is $kind stays', (state) => {
    expect(volumeVerdict(marks(), volume, state, AFTER).remove).toBe(false);
  });
});

describe('a local lab', () => {
  const folder = { workflowId: 'codec', leased: false, expiresAt: new Date(EXPIRY).toISOString() };

  it.each([
    ['closed and expired', folder, CLOSED, true],
    ['running', folder, OPEN, false],
    ['with the lease of the machine', { ...folder, leased: true }, CLOSED, false],
    ['without a record', { ...folder, expiresAt: null }, CLOSED, false],
    ['of nobody, just expired', { ...folder, workflowId: null }, NOT_FOUND, false],
  ])('%s', (_, given, state, remove) => {
    expect(folderVerdict(given, state, AFTER).remove).toBe(remove);
  });
});

describe('what Temporal says of an id', () => {
  it.each([
    ['RUNNING', 'run-1', 'open'],
    ['PAUSED', 'run-1', 'open'],
    ['CONTINUED_AS_NEW', 'run-1', 'open'],
    ['TERMINATED', 'run-1', 'closed'],
    ['TIMED_OUT', 'run-1', 'closed'],
    // The id was used again, or this is another Temporal: either way it says nothing of ours.
    ['RUNNING', 'run-2', 'not-found'],
    ['COMPLETED', 'run-2', 'not-found'],
    ['RUNNING', '', 'open'],
    ['COMPLETED', '', 'unknown'],
  ])('%s of %j is %s for the experiment of run-1', (status, firstRunId, kind) => {
    expect(stateFrom(KEY, 'codec', status, firstRunId).kind).toBe(kind);
  });
});
