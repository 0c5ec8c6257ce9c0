import type { ReasonCode } from '../../src/measure/reasons.ts';
import type { ExperimentRecord } from '../../src/report/results.ts';

/** A whole synthetic experiment, as the files that a store would hold. Same input, same bytes. */
export interface Fixture {
  readonly name: string;
  readonly question: string;
  /** Baseline first. */
  readonly scenarios: readonly [string, string];
  readonly blocks: number;
  /** Mean rates, records per second, in the order of the scenarios. */
  readonly ratesPerS: readonly [number, number];
  /** Spread of the rates as a share. */
  readonly noise: number;
  readonly voided?: {
    readonly block: number;
    readonly scenario: 0 | 1;
    readonly code: ReasonCode;
    readonly message: string;
  };
  /** Aborted in this block: no analysis. 0 = in the warm-up: nothing frozen either. */
  readonly abortedIn?: number;
  readonly outcome: ExperimentRecord['outcome'];
  readonly hostile?: string;
  /** Changes on the command line. */
  readonly overrides?: readonly string[];
  /** A rehearsal. */
  readonly smoke?: true;
}

export const COMPLETED: Fixture = {
  name: 'first-look',
  question: 'How much does batch.size matter?',
  scenarios: ['batch=4KiB', 'batch=64KiB'],
  blocks: 6,
  ratesPerS: [27_400, 63_300],
  noise: 0.06,
  outcome: 'completed',
  voided: {
    block: 3,
    scenario: 1,
    code: 'capsule-lost',
    message: 'the runner of load p died 8.2 s into the load, its claim has no living owner',
  },
};
/** The same, but the attempt was void for a reason that may depend on the scenario: that forbids a verdict. */
export const UNDECIDED: Fixture = {
  ...COMPLETED,
  voided: {
    block: 3,
    scenario: 1,
    code: 'isr-shrunk',
    message: 'partition 2 lost replica 3 from its in-sync set 8.2 s into the load',
  },
};
export const INCONCLUSIVE: Fixture = {
  ...COMPLETED,
  name: 'linger',
  question: 'Does linger.ms = 20 help?',
  scenarios: ['linger=0', 'linger=20'],
  ratesPerS: [61_000, 62_800],
  noise: 0.14,
  outcome: 'completed-with-leaks',
};
export const ABORTED: Fixture = { ...COMPLETED, abortedIn: 2, outcome: 'aborted' };
export const ABORTED_EARLY: Fixture = { ...ABORTED, abortedIn: 0 };
export const EVIL = `"><script>alert(1)</script>&'\u202e\u001b[31m`;
export const HOSTILE: Fixture = {
  ...COMPLETED,
  name: EVIL,
  question: `=cmd()|${EVIL}`,
  scenarios: ['=HYPERLINK("x")', `<img src=x onerror=alert(1)>${EVIL}`],
  hostile: EVIL,
};

export const SMOKE: Fixture = { ...COMPLETED, smoke: true, overrides: ['--smoke', '--blocks 2'] };
