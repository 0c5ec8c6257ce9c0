import {
  type Claim,
  type ClaimedCommand,
  latestClaim,
  launchClaimed,
  liveClaim,
  pruneClaims,
} from './claims.ts';
import { rotateLog } from './log-file.ts';
import { endProcess, isAlive } from './process-identity.ts';

/** One process that the supervisor keeps alive. */
export interface ServiceOptions {
  /** `server` or `worker`: the name of its claims. */
  readonly name: string;
  /** Folder of the claims. */
  readonly folder: string;
  readonly command: ClaimedCommand;
  /** Refuses (throws) when it may not start now, e.g. because its port is taken. */
  readonly beforeStart: () => Promise<void>;
  /** Whether it answers; null: being alive is all that is asked. */
  readonly healthy: (() => Promise<boolean>) | null;
  /** Alive but not healthy for so long means hung: it is ended and started again. */
  readonly hungAfterMs: number;
  readonly say: (text: string) => void;
}

/** A life shorter than this counts as a failed start and makes the next one wait. */
const SHORT_LIFE_MS = 15_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const HEALTH_EVERY_MS = 2_000;
const HUNG_GRACE_MS = 3_000;

/** How long to wait before start number `shortLives` + 1 in a row: 0.25 s, doubling, at most 10 s. */
export function waitBeforeStartMs(shortLives: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, shortLives - 1));
}

/** Keeps one service alive: `tick` is called a few times a second and does what is due. */
export class Service {
  readonly #options: ServiceOptions;
  #claim: Claim | null;
  #aliveSinceMs: number;
  #healthySeenMs: number;
  #healthAskedMs = 0;
  #healthyNow = false;
  #shortLives = 0;
  #startAtMs = 0;
  /** Why it does not run, in words for the user; null when it does. */
  problem: string | null = null;

  /** Adopts what runs already. */
  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#claim = liveClaim(options.folder, options.name);
    this.#aliveSinceMs = Date.now();
    this.#healthySeenMs = Date.now();
    if (this.#claim !== null) options.say(`adopted ${options.name}, pid ${this.#claim.pid}`);
  }

  get claim(): Claim | null {
    return this.#claim;
  }

  /** Alive and, when it can be asked, healthy at the last question. */
  get ready(): boolean {
    return this.#claim !== null && (this.#options.healthy === null || this.#healthyNow);
  }

  async tick(): Promise<void> {
    if (this.#claim !== null && !isAlive(this.#claim)) this.#noteDeath();
    if (this.#claim === null) {
      if (Date.now() >= this.#startAtMs) await this.#start();
    } else await this.#checkHealth(this.#claim);
  }

  #noteDeath(): void {
    const { name, say } = this.#options;
    const livedMs = Date.now() - this.#aliveSinceMs;
    this.#shortLives = livedMs < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
    const waitMs = this.#shortLives === 0 ? 0 : waitBeforeStartMs(this.#shortLives);
    say(
      `${name} ended, pid ${this.#claim?.pid}, after ${Math.round(livedMs / 1000)} s; starting it again in ${waitMs} ms`,
    );
    // The second failed start in a row is worth telling the user: it will hardly mend itself.
    if (this.#shortLives > 1) this.problem = `the ${name} keeps ending: see ${this.#options.command.log}`;
    this.#claim = null;
    this.#healthyNow = false;
    this.#startAtMs = Date.now() + waitMs;
  }

  async #start(): Promise<void> {
    const { name, folder, command, beforeStart, say } = this.#options;
    try {
      await beforeStart();
      rotateLog(command.log);
      this.#claim = await launchClaimed(folder, name, (latestClaim(folder, name)?.n ?? 0) + 1, command);
      this.#aliveSinceMs = Date.now();
      this.#healthySeenMs = Date.now();
      this.#healthAskedMs = 0;
      if (this.#shortLives < 2) this.problem = null;
      pruneClaims(folder, name);
      say(`started ${name}, pid ${this.#claim.pid}`);
    } catch (error) {
      const why = (error as Error).message;
      if (why !== this.problem) say(`cannot start ${name}: ${why}`);
      this.problem = why;
      this.#shortLives += 1;
      this.#startAtMs = Date.now() + waitBeforeStartMs(this.#shortLives);
    }
  }

  async #checkHealth(claim: Claim): Promise<void> {
    const { name, healthy, hungAfterMs, say } = this.#options;
    const now = Date.now();
    if (now - this.#aliveSinceMs > SHORT_LIFE_MS) this.problem = null;
    if (healthy === null || now - this.#healthAskedMs < (this.#healthyNow ? HEALTH_EVERY_MS : 200)) return;
    this.#healthAskedMs = now;
    this.#healthyNow = await healthy();
    if (this.#healthyNow) {
      this.#healthySeenMs = Date.now();
      this.problem = null;
    } else if (Date.now() - this.#healthySeenMs > hungAfterMs) {
      say(`${name}, pid ${claim.pid}, lives but has not answered for ${hungAfterMs} ms: ending it`);
      await endProcess(claim, HUNG_GRACE_MS);
    }
  }
}
