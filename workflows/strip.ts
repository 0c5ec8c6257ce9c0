import type { BlockStrip, StripCell } from '../src/temporal/status.ts';

interface Sheet {
  readonly block: number;
  readonly pass: number | null;
  cells: readonly StripCell[];
}

interface Cell {
  readonly block: number;
  readonly pass: number | null;
  readonly scenario: string;
  readonly attempt: number;
}

/** The block that runs now, trial by trial, for those who follow. */
export class Strip {
  /** The block, and above it the pass that warms brokers in the middle of it. */
  private sheets: Sheet[] = [];

  begin(block: number, pass: number | null, order: readonly string[]): void {
    this.sheets = [sheet(block, pass, order)];
  }

  /** A pass in the middle of something else, until `back`. */
  aside(block: number, pass: number | null, order: readonly string[]): void {
    this.sheets.push(sheet(block, pass, order));
  }

  back(): void {
    if (this.sheets.length > 1) this.sheets.pop();
  }

  /** A new attempt waits at the end. */
  add(scenario: string, attempt: number): void {
    const top = this.sheets.at(-1);
    if (top !== undefined) top.cells = [...top.cells, { scenario, attempt, state: 'waiting' }];
  }

  mark(trial: Cell, state: StripCell['state']): void {
    for (const one of this.sheets.filter((s) => s.block === trial.block && s.pass === trial.pass)) {
      one.cells = one.cells.map((cell) =>
        cell.scenario === trial.scenario && cell.attempt === trial.attempt ? { ...cell, state } : cell,
      );
    }
  }

  /** Scenarios of the trials that have yet to run. */
  get waiting(): readonly string[] {
    return this.sheets
      .flatMap((s) => s.cells)
      .filter((c) => c.state === 'waiting')
      .map((c) => c.scenario);
  }

  /** @param of how many measured blocks there are. */
  view(of: number): BlockStrip | null {
    const top = this.sheets.at(-1);
    return top === undefined ? null : { block: top.block, pass: top.pass, of, cells: top.cells };
  }
}

function sheet(block: number, pass: number | null, order: readonly string[]): Sheet {
  return { block, pass, cells: order.map((scenario) => ({ scenario, attempt: 1, state: 'waiting' })) };
}
