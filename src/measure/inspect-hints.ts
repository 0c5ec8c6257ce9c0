/** What lines that are no results tell about the run. */
export interface ToolHints {
  readonly retries: number;
  /** A line says `acks=0`. */
  readonly acksZero: boolean;
  /** Which tool's name stands in other lines. */
  readonly named: 'producer' | 'consumer' | null;
  /** A message of the tool about its own arguments. */
  readonly usage: string | null;
}

const ACKS_ZERO = /(?:^|[\s"',])acks ?= ?0\b/;
const PRODUCER_NAMES = /ProducerPerformance|producer-perf|producer-performance|perf-producer/;
const CONSUMER_NAMES = /ConsumerPerformance|consumer-perf|consumer-performance|perf-consumer/;
const USAGE =
  /^(?:usage: \w+-performance|\w+-performance: error: |Missing required argument|Error: Could not find or load main class)/;

/** Watches for such lines; `plain` is for log lines of which only the retries are of interest. */
export function hintsWatch(): { see(text: string): void; plain(text: string): void; hints(): ToolHints } {
  let retries = 0;
  let acksZero = false;
  let named: ToolHints['named'] = null;
  let usage: string | null = null;
  const plain = (text: string): void => {
    if (text.includes('retrying')) retries += 1;
  };
  return {
    plain,
    see(text) {
      plain(text);
      if (!acksZero && text.includes('acks')) acksZero = ACKS_ZERO.test(text);
      if (PRODUCER_NAMES.test(text)) named ??= 'producer';
      else if (CONSUMER_NAMES.test(text)) named ??= 'consumer';
      if (USAGE.test(text)) usage ??= text.slice(0, 300);
    },
    hints: () => ({ retries, acksZero, named, usage }),
  };
}
