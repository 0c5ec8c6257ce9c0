import {
  type Control,
  type ExtendRequest,
  PAUSE_DEFAULT_MS,
  type PauseRequest,
  type SkipRequest,
} from '../src/temporal/controls.ts';
import type { ExperimentPhase } from '../src/temporal/status.ts';
import type { Controls } from './controls.ts';
import type { Logbook } from './logbook.ts';

interface Reasoned {
  readonly reason?: string;
}

/**
 * One control: why it is refused now (null = it is not), and what it does, with the answer in one sentence. The
 * request must have been found well-formed.
 */
interface Answer {
  readonly refuse: (request: object) => string | null;
  readonly accept: (request: object) => string;
}

function answer<Request>(
  refuse: (request: Request) => string | null,
  accept: (request: Request) => string,
): Answer {
  return { refuse: (r) => refuse(r as Request), accept: (r) => accept(r as Request) };
}

const OVER: readonly ExperimentPhase[] = [
  'analysing',
  'exporting',
  'keeping',
  'tearing-down',
  'reading-metrics',
  'done',
];
const ENDING = 'The experiment is ending: no trial runs any more.';
const MINUTE = 60_000;

/** What every control says and does. Handlers run to their end at once: nothing here waits. */
export class Answers {
  private readonly log: Logbook;
  private readonly controls: Controls;
  private readonly abortNow: (reason: string) => void;

  constructor(log: Logbook, controls: Controls, abortNow: (reason: string) => void) {
    this.log = log;
    this.controls = controls;
    this.abortNow = abortNow;
  }

  of(control: Control): Answer {
    return {
      pause: answer<PauseRequest>(
        (r) => this.refusePause(r),
        (r) => this.pause(r),
      ),
      resume: answer<Reasoned>(
        () => this.refuseResume(),
        () => this.resume(),
      ),
      skip: answer<SkipRequest>(
        (r) => this.refuseSkip(r),
        (r) => this.skip(r),
      ),
      'finish-early': answer<Reasoned>(
        () => this.refuseFinishEarly(),
        (r) => this.finishEarly(r),
      ),
      extend: answer<ExtendRequest>(
        (r) => this.refuseExtend(r),
        (r) => this.extend(r),
      ),
      abort: answer<Reasoned>(
        () => this.refuseAbort(),
        (r) => this.abort(r),
      ),
    }[control];
  }

  private refusePause({ limit = PAUSE_DEFAULT_MS }: PauseRequest): string | null {
    if (this.over) return ENDING;
    const { plan } = this.controls;
    if (plan === null) return null;
    const leftMs = this.log.startedAtMs + plan.deadlineMs - Date.now();
    if (limit < leftMs) return null;
    return `The deadline of the experiment (design.deadline) is in ${minutesText(leftMs)}: a pause of ${minutesText(limit)} would end it. Ask for a shorter one.`;
  }

  private pause({ limit = PAUSE_DEFAULT_MS, reason = NO_REASON }: PauseRequest): string {
    const { paused } = this.controls;
    if (paused !== null && paused.over === null) {
      this.controls.paused = { ...paused, reason, untilMs: Date.now() + limit };
      return `paused for ${minutesText(limit)} from now at most`;
    }
    this.controls.pauseAsked = { limitMs: limit, reason };
    return `pauses before the next trial, for ${minutesText(limit)} at most; the lab stays up and the machine taken`;
  }

  private refuseResume(): string | null {
    const { paused, pauseAsked } = this.controls;
    if (pauseAsked !== null || (paused !== null && paused.over === null)) return null;
    return 'The experiment is not paused.';
  }

  private resume(): string {
    const { paused, pauseAsked } = this.controls;
    this.controls.pauseAsked = null;
    if (paused !== null && paused.over === null) {
      this.controls.paused = { ...paused, over: 'resume' };
      return 'goes on';
    }
    return pauseAsked === null ? 'goes on' : 'goes on; the pause had not begun';
  }

  private refuseSkip({ scenario }: SkipRequest): string | null {
    const { plan, frozen, skippedScenarios, skipNext } = this.controls;
    if (this.over) return ENDING;
    if (plan === null) return 'The experiment is still planning: ask again in a moment.';
    if (scenario === undefined) {
      if (frozen === null)
        return 'Block 0 has to run every scenario: the records of all blocks come from it. Skip the next trial from block 1 on.';
      return skipNext === null ? null : 'The next trial is to be skipped already.';
    }
    if (!plan.scenarios.includes(scenario))
      return `There is no scenario ${JSON.stringify(scenario)}. There are: ${plan.scenarios.join(' | ')}.`;
    if (skippedScenarios.has(scenario)) return `${scenario} is skipped already.`;
    if (plan.scenarios.length === skippedScenarios.size + 1)
      return `${scenario} is the only scenario left: finish-early ends the experiment after the current block.`;
    return null;
  }

  private skip({ scenario, reason = NO_REASON }: SkipRequest): string {
    if (scenario === undefined) {
      this.controls.skipNext = reason;
      return 'skips the next trial; its cell stays empty and the report names it';
    }
    this.controls.skippedScenarios.set(scenario, reason);
    const from = this.controls.frozen === null ? 'from block 1 on' : 'from now on';
    return `skips ${scenario} ${from}; its cells stay empty and the report names them`;
  }

  private refuseFinishEarly(): string | null {
    const { blockBegun, askedLastBlock, orders } = this.controls;
    if (this.over) return ENDING;
    if (blockBegun === 0)
      return 'No block has begun, so there is nothing to finish with: abort ends the experiment.';
    if (askedLastBlock !== null) return `It ends after block ${askedLastBlock} already.`;
    if (blockBegun >= orders.length) return `Block ${blockBegun} is the last one already.`;
    return null;
  }

  private finishEarly({ reason = NO_REASON }: Reasoned): string {
    const { controls } = this;
    const { blockBegun, orders, place, paused } = controls;
    controls.askedLastBlock = blockBegun;
    this.log.expect(-controls.measured(orders.slice(blockBegun)).length);
    const at = isoNow();
    const blocksPlanned = this.planned;
    controls.deviations.push({
      kind: 'finish-early',
      ...place,
      block: blockBegun,
      at,
      blocksPlanned,
      reason,
    });
    const between = place.block > blockBegun;
    if (paused !== null && paused.over === null) {
      if (between) controls.paused = { ...paused, over: 'finish-early' };
      else
        return `ends after block ${blockBegun} of ${orders.length}; it is paused, resume it to finish that block`;
    }
    return `ends after block ${blockBegun} of ${orders.length}; recorded as a deviation from the plan`;
  }

  private refuseExtend({ blocks }: ExtendRequest): string | null {
    const { plan, frozen, extraOrders, askedLastBlock, orders } = this.controls;
    if (this.over) return ENDING;
    if (plan === null || frozen === null)
      return 'The blocks have not begun: plan for more with design.blocks, or extend while they run.';
    if (askedLastBlock !== null) return `It ends after block ${askedLastBlock}: somebody asked for that.`;
    const most = plan.spareOrders.length - extraOrders.length;
    if (blocks > most)
      return `At most ${most} more blocks: all extensions together may add ${plan.spareOrders.length} to the ${this.planned} that were planned.`;
    const { mostBlocks } = frozen;
    if (mostBlocks !== null && orders.length + blocks > mostBlocks)
      return `design.budget.written has room for ${mostBlocks} blocks of these counts, and ${orders.length} are to run.`;
    return null;
  }

  private extend({ blocks, reason = NO_REASON }: ExtendRequest): string {
    const { controls } = this;
    const { plan, place } = controls;
    if (plan === null) return 'nothing to extend';
    const total = controls.orders.length + blocks;
    const added = controls.extraOrders.length;
    const orders = plan.spareOrders.slice(added, added + blocks);
    controls.extraOrders = [...controls.extraOrders, ...orders];
    this.log.expect(controls.measured(orders).length);
    const blocksPlanned = this.planned;
    controls.deviations.push({ kind: 'extend', ...place, at: isoNow(), blocksPlanned, orders, reason });
    return `runs ${total} blocks instead of ${this.planned}; recorded as a deviation from the plan. The deadline stays`;
  }

  private refuseAbort(): string | null {
    return this.log.outcome === null ? null : 'The experiment has ended; there is nothing to abort.';
  }

  private abort({ reason = NO_REASON }: Reasoned): string {
    if (this.log.phase === 'keeping') {
      this.controls.released = true;
      return 'the lab is torn down; the results stay as they are';
    }
    this.abortNow(reason);
    return 'aborting: loads end, what was measured is kept, the lab is torn down';
  }

  private get over(): boolean {
    return OVER.includes(this.log.phase);
  }

  private get planned(): number {
    return this.controls.plan?.orders.length ?? 0;
  }
}

const NO_REASON = 'no reason given';

function isoNow(): string {
  return new Date(Date.now()).toISOString();
}

function minutesText(ms: number): string {
  const minutes = ms / MINUTE;
  if (minutes < 1) return `${Math.max(0, Math.round(ms / 1000))} s`;
  return minutes < 120 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}
