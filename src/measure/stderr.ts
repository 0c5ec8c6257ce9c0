/** What a perf tool's stderr (or a capture in which both streams are mixed) says about failures. */
export interface ToolErrors {
  /** Failed sends: lines that start with `org.apache.kafka.common.errors.`, one a record. */
  readonly failedCallbacks: number;
  /** Class (without its package) → lines. */
  readonly failedByClass: Readonly<Record<string, number>>;
  /** The first such line. */
  readonly firstFailure: string | null;
  /** A line that names OutOfMemoryError. */
  readonly outOfMemory: string | null;
  /** `Exception in thread …`, the start of an uncaught exception. */
  readonly exception: string | null;
  /** The innermost `Caused by: …` seen. */
  readonly causedBy: string | null;
  /** A message of the tool about its own arguments or files, when there is nothing better to quote. */
  readonly lastLine: string | null;
}

/** The regular expression that counts failed sends where a runner counts lines without keeping them (POSIX ERE). */
export const FAILED_CALLBACK_ERE = '^org\\.apache\\.kafka\\.common\\.errors\\.';

/** What the line of a failed send starts with. */
export const FAILED_CALLBACK = 'org.apache.kafka.common.errors.';
/** A line of a stack trace. */
const FRAME = /^\s*at [\w.$<>/@-]+\(/;
const MAX_CLASSES = 50;
const MAX_QUOTE = 400;

/** Reads stderr line by line with flat memory. WARN and ERROR log lines carry the same class names and do not count. */
export function errorsParser(): { line(text: string): void; errors(): ToolErrors } {
  const byClass = new Map<string, { lines: number }>();
  /** Failures come in long runs of one class. */
  let last = { name: '', count: { lines: 0 } };
  let failedCallbacks = 0;
  let firstFailure: string | null = null;
  let outOfMemory: string | null = null;
  let exception: string | null = null;
  let causedBy: string | null = null;
  let lastLine: string | null = null;
  const countNamed = (name: string): void => {
    let count = byClass.get(name);
    if (count === undefined) {
      count = { lines: 0 };
      if (byClass.size < MAX_CLASSES) byClass.set(name, count);
    }
    count.lines += 1;
    last = { name: `${name}:`, count };
  };
  return {
    line(text) {
      if (text.startsWith(FAILED_CALLBACK)) {
        failedCallbacks += 1;
        firstFailure ??= text.slice(0, MAX_QUOTE);
        if (last.name !== '' && text.startsWith(last.name, FAILED_CALLBACK.length)) last.count.lines += 1;
        else countNamed(/^\w{1,100}/.exec(text.slice(FAILED_CALLBACK.length))?.[0] ?? 'unnamed');
        return;
      }
      if (text === '') return;
      const quote = text.slice(0, MAX_QUOTE);
      if (text.includes('OutOfMemoryError')) outOfMemory ??= quote;
      if (text.startsWith('Exception in thread')) exception ??= quote;
      else if (text.startsWith('Caused by: ')) causedBy = quote;
      if (!text.startsWith('\t') && !FRAME.test(text)) lastLine = quote;
    },
    errors: () => ({
      failedCallbacks,
      failedByClass: Object.fromEntries([...byClass].map(([name, { lines }]) => [name, lines])),
      firstFailure,
      outOfMemory,
      exception,
      causedBy,
      lastLine,
    }),
  };
}

/** Reads a whole stderr. */
export function readErrors(stderr: Uint8Array): ToolErrors {
  const parser = errorsParser();
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(stderr);
  for (const line of text.split('\n')) parser.line(line);
  return parser.errors();
}

/** The one line that best says why a tool failed; null when nothing looks like a cause. */
export function causeOf(errors: ToolErrors): string | null {
  return errors.outOfMemory ?? errors.causedBy ?? errors.exception ?? errors.firstFailure;
}
