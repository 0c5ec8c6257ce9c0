import type { Home } from '../src/lab/home.ts';
import type { Benches } from './bench.ts';

/** What the worker hands to its activities. No client lives at module level. */
export interface ActivityDeps {
  readonly home: Home;
  /** The task queue of this machine and home. */
  readonly hostQueue: string;
  readonly benches: Benches;
  /** Names of our search attributes that the server has. */
  readonly searchAttributes: () => Promise<readonly string[]>;
  readonly assayVersion: string;
}
