/** When a line was read by the capsule's runner, in both clocks. */
export interface Stamp {
  /** Milliseconds since the epoch; may step. */
  readonly wallMs: number;
  /** Milliseconds since boot, in steps of 10; never steps while the machine runs. */
  readonly uptimeMs: number;
}

export interface StampedLine extends Stamp {
  readonly text: string;
}

/** Wall and uptime clocks that move apart by more than this between two readings: the wall clock was set. */
export const CLOCK_STEP_MS = 30;

/** bash's EPOCHREALTIME follows the locale's decimal sign, so a comma is legal. */
const STAMP = /^(\d{9,11}[.,]\d{6}) (\d{1,12}[.,]\d{2})(?: (.*))?$/s;

/**
 * Splits `<wall seconds.micros> <uptime seconds.centis> <text>`, as a capsule stamps each line of stdout.
 * null when the line carries no whole stamp (torn, or not stamped at all).
 */
export function splitStamped(line: string): StampedLine | null {
  const found = STAMP.exec(line);
  if (found === null) return null;
  const wallMs = Number((found[1] as string).replace(',', '.')) * 1000;
  const uptimeMs = Math.round(Number((found[2] as string).replace(',', '.')) * 1000);
  return { wallMs, uptimeMs, text: found[3] ?? '' };
}

/** What the stamps say about the machine's clocks over a whole output. */
export interface ClockCheck {
  /** Times at which wall and uptime moved apart by more than 30 ms between two lines. */
  readonly steps: number;
  /** The largest of those moves, signed, in ms; 0 without any. */
  readonly largestStepMs: number;
  /** The uptime ran backwards: another boot, and nothing before and after may be compared. */
  readonly rebooted: boolean;
}

/** Watches stamps one after the other; memory is flat. */
export function clockWatch(): { see(stamp: Stamp): void; result(): ClockCheck } {
  let last: Stamp | null = null;
  let steps = 0;
  let largestStepMs = 0;
  let rebooted = false;
  return {
    see(stamp) {
      if (last !== null) {
        const apart = stamp.wallMs - last.wallMs - (stamp.uptimeMs - last.uptimeMs);
        if (stamp.uptimeMs < last.uptimeMs) rebooted = true;
        if (Math.abs(apart) > CLOCK_STEP_MS) {
          steps += 1;
          if (Math.abs(apart) > Math.abs(largestStepMs)) largestStepMs = apart;
        }
      }
      last = stamp;
    },
    result: () => ({ steps, largestStepMs, rebooted }),
  };
}
