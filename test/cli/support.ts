import type { Terminal } from '../../src/cli/terminal.ts';
import type { ExperimentStatus } from '../../src/temporal/status.ts';

/** A terminal that remembers. */
export function fakeTerminal(live = false): Terminal & { out: string; err: string } {
  const terminal = {
    out: '',
    err: '',
    live,
    colour: false,
    columns: () => 80,
    data: (text: string) => void (terminal.out += text),
    say: (text: string) => void (terminal.err += `${text}\n`),
    raw: (text: string) => void (terminal.err += text),
  };
  return terminal;
}

export function status(changes: Partial<ExperimentStatus> = {}): ExperimentStatus {
  return {
    format: 1,
    key: 'x-1',
    name: 'codec',
    phase: 'measuring',
    outcome: null,
    message: 'measuring',
    trialsDone: 7,
    trialsPlanned: 28,
    valid: 6,
    voided: [{ id: 'b1/acks=1/a1', reasons: ['leader-moved'] }],
    current: null,
    recent: [],
    resultsFolder: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    ...changes,
  };
}
