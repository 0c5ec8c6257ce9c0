import { describe, expect, it } from 'vitest';
import { FollowView } from '../../src/cli/follow.ts';
import type { Observation } from '../../src/cli/observe.ts';
import { fakeTerminal, status } from './support.ts';

const advice = (silent: string) => `advice about ${silent}`;
const seen = (changes: Parameters<typeof status>[0]): Observation => ({
  state: 'RUNNING',
  status: status(changes),
  heartbeat: null,
  silent: null,
});
const silent: Observation = { state: 'RUNNING', status: null, heartbeat: null, silent: 'worker' };
const trial = (position: number, valid = true) => ({
  id: `b1/x/a${position}`,
  position,
  valid,
  rateRecordsPerS: 1000,
  reasons: valid ? [] : (['capsule-lost'] as const),
});

describe('following without a terminal', () => {
  it('prints each phase and each trial once, and no cursor movement', () => {
    const terminal = fakeTerminal();
    const view = new FollowView({ terminal, advice });
    view.show(seen({ phase: 'measuring', recent: [trial(1)] }));
    view.show(seen({ phase: 'measuring', recent: [trial(1), trial(2, false)] }));
    view.show(seen({ phase: 'analysing', recent: [trial(1), trial(2, false)] }));
    expect(terminal.err.split('\n')).toEqual([
      'codec: measuring',
      expect.stringMatching(/^trial 1 of 28 .* valid/),
      expect.stringMatching(/^trial 2 of 28 .* VOID: capsule-lost/),
      'codec: analysing',
      '',
    ]);
    expect(terminal.out).toBe('');
  });

  it('prints notes and what was asked for once, and a line a minute when nothing else comes', () => {
    const terminal = fakeTerminal();
    const view = new FollowView({ terminal, advice });
    const now = {
      current: { id: 'b1/x/a1', workflowId: 'w', phase: 'load', since: '' },
      etaMs: 90_000,
    } as const;
    const more = { notes: ['Repaired the lab.'], asked: ['ends after block 2'] };
    view.show(seen({ ...now, ...more }), 0);
    view.show(seen({ ...now, ...more }), 30_000);
    view.show(seen({ ...now, ...more }), 61_000);
    view.show(seen({ ...now, ...more }), 70_000);
    expect(terminal.err.split('\n')).toEqual([
      'codec: measuring',
      'note: Repaired the lab.',
      'asked for: ends after block 2',
      'block 1, x  load  about 1 min 30 s left',
      '',
    ]);
  });

  it('says once that nobody answers, only after a while, and once that it is over', () => {
    const terminal = fakeTerminal();
    const view = new FollowView({ terminal, advice });
    view.show(silent, 0);
    view.show(silent, 10_000);
    expect(terminal.err).toBe('');
    view.show(silent, 20_000);
    view.show(silent, 30_000);
    expect(terminal.err).toBe('The worker has not answered for 20 s; waiting. advice about worker\n');
    view.show(seen({}), 31_000);
    expect(terminal.err).toContain('Answers again.\n');
  });

  it('keeps quiet about a restart that is over soon', () => {
    const terminal = fakeTerminal();
    const view = new FollowView({ terminal, advice });
    view.show(seen({}), 0);
    view.show(silent, 1_000);
    view.show(seen({}), 6_000);
    view.show(silent, 20_000);
    expect(terminal.err).toBe('codec: measuring\n');
  });
});

describe('following on a terminal', () => {
  it('draws the block in place and prints trials above it', () => {
    const terminal = fakeTerminal(true);
    const view = new FollowView({ terminal, advice });
    view.show(seen({ recent: [] }));
    expect(terminal.err).not.toContain('\u001b');
    terminal.err = '';
    view.show(seen({ recent: [trial(1)] }));
    // Up over the two lines of the block, erase, the trial, the block again.
    expect(terminal.err.startsWith('\u001b[2A\u001b[Jtrial 1 of 28')).toBe(true);
    expect(terminal.err).toMatch(/\ncodec: measuring[^\n]*\n/);
    terminal.err = '';
    view.end();
    expect(terminal.err).toBe('\u001b[2A\u001b[J');
  });
});
