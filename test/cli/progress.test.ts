import { describe, expect, it } from 'vitest';
import { finishedTrialLine, liveBlock, statusText, trialText } from '../../src/cli/progress.ts';
import type { TrialHeartbeat } from '../../src/temporal/status.ts';
import { status } from './support.ts';

const nowMs = Date.parse('2026-01-01T00:03:20.000Z');
const view = (changes: Parameters<typeof status>[0], heartbeat: TrialHeartbeat | null = null, ageMs = 0) => ({
  status: status(changes),
  heartbeat,
  ageMs,
  nowMs,
});
const current = {
  id: 'b2/batch=64KiB/a1',
  workflowId: 'w',
  phase: 'load' as const,
  since: '2026-01-01T00:03:00.000Z',
};

describe('trialText', () => {
  it.each([
    ['b2/batch=64KiB/a1', 'block 2, batch=64KiB'],
    ['b2/acks=all,rf=3/a2', 'block 2, acks=all,rf=3, attempt 2'],
    ['b0.p2/baseline/a1', 'warm-up pass 2, baseline'],
    ['something else', 'something else'],
  ])('%s', (id, text) => expect(trialText(id)).toBe(text));
});

describe('finishedTrialLine', () => {
  const trial = { id: 'b1/x/a1', position: 3, valid: true, rateRecordsPerS: 412_300.4, reasons: [] };

  it('shows a rate with its unit', () => {
    expect(finishedTrialLine(trial, 28)).toBe('trial 3 of 28  block 1, x  valid  412,300 records/s');
  });

  it('says why an attempt is void, in words, and shows no rate', () => {
    const line = finishedTrialLine({ ...trial, valid: false, reasons: ['leader-moved', 'isr-shrunk'] }, 28);
    expect(line).toContain('VOID: leader-moved (a partition changed its leader');
    expect(line).toContain('isr-shrunk (');
    expect(line).not.toContain('412');
  });

  it('says what was seen, with its numbers, where the experiment tells', () => {
    const why = 'the steady window is 1.2 s, at least 2.0 s are needed';
    const line = finishedTrialLine({ ...trial, valid: false, reasons: ['window-too-short'], why }, 28);
    expect(line).toContain(`VOID: window-too-short (${why})`);
  });

  it('never counts beyond the number it names', () => {
    expect(finishedTrialLine({ ...trial, position: 30 }, 28)).toMatch(/^trial 30 of 30/);
  });
});

describe('liveBlock', () => {
  it('shows trial, counts, elapsed time and what is left', () => {
    const [head] = liveBlock(view({ current, etaMs: 600_000 }), 200);
    expect(head).toBe(
      'codec: measuring  trial 8 of 28  6 valid, 1 void  3 min 20 s so far  about 10 min left',
    );
  });

  it('prefers the heartbeat to the workflow, counts down between looks, and marks a rate as provisional', () => {
    const heartbeat: TrialHeartbeat = {
      phase: 'drain',
      text: '412 MiB dirty',
      remainingMs: 34_000,
      provisionalRecordsPerS: 1000,
    };
    const [, line] = liveBlock(view({ current }, heartbeat, 4_000), 200);
    expect(line).toBe(
      '  block 2, batch=64KiB  drain  412 MiB dirty  at most 30 s  1,000 records/s (provisional)',
    );
  });

  it('shows the order of the block, and what was asked for', () => {
    const strip = {
      block: 2,
      pass: null,
      of: 6,
      cells: [{ scenario: 'x', attempt: 1, state: 'running' }],
    } as const;
    const lines = liveBlock(view({ current, strip, asked: ['pauses before the next trial'] }), 200);
    expect(lines[1]).toBe('  block 2 of 6  ▶ x');
    expect(lines[3]).toBe('  asked for: pauses before the next trial');
  });

  it('counts down to the end of a pause', () => {
    const message = 'paused until 2026-01-01T00:33:20Z at the latest: lunch';
    const [head, line] = liveBlock(
      view({ phase: 'paused', message, pausedUntil: '2026-01-01T00:33:20.000Z' }),
      200,
    );
    expect(head).toContain('codec: paused');
    expect(line).toBe(`  goes on in 30 min at the latest; ${message}`);
  });

  it('says who holds the machine while it waits', () => {
    const [head] = liveBlock(view({ phase: 'waiting-for-lease', leaseHolder: 'other-1' }), 200);
    expect(head).toContain('waiting for the machine, which other-1 holds');
  });

  it('keeps each line shorter than the terminal, or the cursor would not find its way back', () => {
    const lines = liveBlock(view({ current, etaMs: 600_000 }), 40);
    for (const line of lines) expect(line.length).toBeLessThan(40);
  });
});

describe('statusText', () => {
  it('lists void attempts, the outcome and the results', () => {
    const text = statusText(
      view({ phase: 'done', outcome: 'aborted', message: 'asked for', resultsFolder: '/r' }),
      'w',
    );
    expect(text).toContain('void: block 1, acks=1: leader-moved');
    expect(text).toContain('aborted: asked for');
    expect(text).toContain('results: /r');
  });

  it('says of a workflow that was ended from outside that it only stood here', () => {
    const standing = view({ phase: 'measuring', current });
    expect(statusText(standing, 'w', 'TERMINATED').split('\n')[1]).toMatch(
      /^ {2}terminated; it stood here, and nothing was torn down: `assay cleanup` shows/,
    );
    expect(statusText(standing, 'w', 'TIMED_OUT')).toContain('timed out; it stood here');
    expect(statusText(standing, 'w', 'RUNNING')).not.toContain('it stood here');
    const done = view({ phase: 'done', outcome: 'completed', message: 'x' });
    expect(statusText(done, 'w', 'COMPLETED')).not.toContain('it stood here');
  });
});
