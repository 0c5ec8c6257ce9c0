import {
  array,
  assert,
  constant,
  constantFrom,
  integer,
  jsonValue,
  oneof,
  property,
  record,
  tuple,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FrozenBrief, PlanBrief } from '../../activities/contract.ts';
import { type Control, CONTROLS } from '../../src/temporal/controls.ts';
import type { ExperimentPhase } from '../../src/temporal/status.ts';
import { Answers } from '../../workflows/answers.ts';
import { Controls } from '../../workflows/controls.ts';
import { Logbook } from '../../workflows/logbook.ts';
import { misshapen } from '../../workflows/requests.ts';

const BLOCKS = 4;
const HOUR = 3_600_000;

function planBrief(): PlanBrief {
  const order = ['a', 'b', 'c'];
  return {
    ref: { key: 'k', workflowId: 'w', store: '/s' },
    name: 'n',
    question: 'q',
    planSha256: 'p',
    hostQueue: 'h',
    scenarios: order,
    orders: Array.from({ length: BLOCKS }, () => order),
    spareOrders: Array.from({ length: BLOCKS }, () => order.toReversed()),
    warmupOrders: [order],
    maxPasses: 1,
    retries: 0,
    deadlineMs: 8 * HOUR,
    settleLimitMs: 1,
    drainLimitMs: 1,
    searchAttributes: [],
  };
}

/** An experiment that stands at a place of its story. */
function standing(
  phase: ExperimentPhase,
  block: number,
): { answers: Answers; controls: Controls; log: Logbook } {
  const log = new Logbook('k', undefined, Date.now());
  log.phase = phase;
  const controls = new Controls(undefined);
  controls.plan = phase === 'planning' ? null : planBrief();
  controls.frozen = block === 0 ? null : ({ mostBlocks: 7 } as FrozenBrief);
  controls.blockBegun = block;
  controls.place = { block, pass: block === 0 ? 1 : null, position: 2 };
  return { answers: new Answers(log, controls, () => {}), controls, log };
}

const place = oneof(
  tuple(constantFrom<ExperimentPhase>('planning', 'provisioning', 'warming-up'), constant(0)),
  tuple(constantFrom<ExperimentPhase>('measuring', 'paused'), integer({ min: 1, max: BLOCKS })),
  tuple(
    constantFrom<ExperimentPhase>('analysing', 'exporting', 'tearing-down'),
    integer({ min: 0, max: BLOCKS }),
  ),
);
const anything = jsonValue().map((value) => (typeof value === 'object' && value !== null ? value : {}));
const likely = oneof(
  tuple(constant<Control>('pause'), record({ limit: integer({ min: 1, max: 30 * HOUR }) })),
  tuple(constantFrom<Control>('pause', 'resume', 'finish-early'), constant({})),
  tuple(constant<Control>('extend'), record({ blocks: integer({ min: 1, max: 9 }) })),
  tuple(constant<Control>('skip'), record({ scenario: constantFrom('a', 'b', 'c', 'd') })),
  tuple(constant<Control>('skip'), constant({ next: true })),
);
const asked = array(oneof(likely, tuple(constantFrom(...CONTROLS), anything)), {
  maxLength: 40,
  size: 'max',
});

/** As a handler does: null when it was refused. */
function ask(answers: Answers, control: Control, given: object): string | null {
  const { refuse, accept } = answers.of(control);
  return (misshapen(control, given) ?? refuse(given)) === null ? accept(given) : null;
}

describe('whatever is asked, in whatever order', () => {
  it('a refusal changes nothing, an answer is one phrase, and the course stays within the plan and its spare blocks', () => {
    assert(
      property(place, asked, ([phase, block], requests) => {
        const { answers, controls } = standing(phase, block);
        for (const [control, given] of requests) {
          const before = JSON.stringify([controls.pages(), controls.paused]);
          const recorded = controls.deviations.length;
          const answer = ask(answers, control, given);
          if (answer === null) expect(JSON.stringify([controls.pages(), controls.paused])).toBe(before);
          else expect(answer).toMatch(/^[a-z].*[^.]$/s);
          expect(controls.deviations.length).toBeGreaterThanOrEqual(recorded);
          expect(controls.orders.length).toBeLessThanOrEqual(2 * BLOCKS);
          expect(controls.lastBlock).toBeGreaterThanOrEqual(Math.min(block, controls.orders.length));
          expect(controls.skippedScenarios.size).toBeLessThan(3);
        }
      }),
    );
  });

  it('nothing but an abort is taken once the experiment is ending', () => {
    assert(
      property(asked, (requests) => {
        const { answers } = standing('exporting', 3);
        for (const [control, given] of requests)
          if (control !== 'abort') expect(ask(answers, control, given)).toBeNull();
      }),
    );
  });

  it('what was asked survives continue-as-new', () => {
    assert(
      property(asked, (requests) => {
        const { answers, controls } = standing('measuring', 2);
        for (const [control, given] of requests) ask(answers, control, given);
        const carried = JSON.parse(JSON.stringify(controls.pages())) as ReturnType<Controls['pages']>;
        const next = new Controls(carried);
        next.plan = controls.plan;
        next.frozen = controls.frozen;
        expect(next.pages()).toEqual(carried);
        expect([next.lastBlock, next.ahead, next.asked]).toEqual([
          controls.lastBlock,
          controls.ahead,
          controls.asked,
        ]);
      }),
    );
  });
});
