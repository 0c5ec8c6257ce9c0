import type { Terminal } from './terminal.ts';

/** A few lines at the end of the terminal that are drawn again in place; other lines are printed above them. */
export class LiveBlock {
  readonly #terminal: Terminal;
  #drawn = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Replaces the block. Does nothing where the cursor cannot move. */
  draw(lines: readonly string[]): void {
    if (!this.#terminal.live) return;
    this.#terminal.raw(`${this.#erase()}${lines.map((line) => `${line}\n`).join('')}`);
    this.#drawn = lines.length;
  }

  /** Prints a line for good; the block is gone until it is drawn again. */
  print(line: string): void {
    this.clear();
    this.#terminal.say(line);
  }

  clear(): void {
    if (this.#drawn > 0) this.#terminal.raw(this.#erase());
    this.#drawn = 0;
  }

  /** Cursor up over the block, then erase to the end of the screen. */
  #erase(): string {
    return this.#drawn > 0 ? `\u001b[${this.#drawn}A\u001b[J` : '';
  }
}
