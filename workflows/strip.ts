import type { BlockStrip, StripCell } from '../src/temporal/status.ts';

/** The block that runs now, trial by trial, for those who follow. */
export class Strip {
  private block = 0;
  private pass: number | null = null;
  private cells: StripCell[] = [];

  begin(block: number, pass: number | null, order: readonly string[]): void {
    this.block = block;
    this.pass = pass;
    this.cells = order.map((scenario) => ({ scenario, attempt: 1, state: 'waiting' }));
  }

  /** A new attempt waits at the end. */
  add(scenario: string, attempt: number): void {
    this.cells.push({ scenario, attempt, state: 'waiting' });
  }

  /** Trials outside the strip (a repaired lab is warmed up in mid block) change nothing. */
  mark(
    trial: { block: number; pass: number | null; scenario: string; attempt: number },
    state: StripCell['state'],
  ): void {
    if (trial.block !== this.block || trial.pass !== this.pass) return;
    this.cells = this.cells.map((cell) =>
      cell.scenario === trial.scenario && cell.attempt === trial.attempt ? { ...cell, state } : cell,
    );
  }

  /** Scenarios of the trials that have yet to run. */
  get waiting(): readonly string[] {
    return this.cells.filter((c) => c.state === 'waiting').map((c) => c.scenario);
  }

  view(of: number): BlockStrip | null {
    const { block, pass, cells } = this;
    return cells.length === 0 ? null : { block, pass, of, cells: [...cells] };
  }
}
