/** What one of Kafka's tools printed, and how it ended. */
export interface ToolRun {
  /** Exit code; 137 when its time was up. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a tool said against what it was asked. */
export interface ToolComplaint {
  /** The exception's short name (`InvalidConfigurationException`), or `timeout`, or `unknown`. */
  readonly code: string;
  readonly message: string;
  /** Trying again may help: a broker that is not there yet, an answer that came too late. */
  readonly passing: boolean;
}

/** Kafka's own verdicts: the same at every try. */
const FINAL =
  /^(Invalid|Policy|Config|UnsupportedVersion|.*Authori[sz]ation|.*Authentication|Topic(Exists|DeletionDisabled)|IllegalArgument)/;
const KILLED = 137;
/** `timeout` of coreutils says so, that of busybox 143 or 137. */
const OUT_OF_TIME: readonly number[] = [124, KILLED, 143];

/**
 * Why a tool failed; null when it ended well. The tools say it in several ways: an exception's name on stderr, a line on
 * stdout, or, when no broker answers, nothing at all until their time is up.
 */
export function complaintOf(run: ToolRun): ToolComplaint | null {
  if (run.code === 0) return null;
  if (OUT_OF_TIME.includes(run.code))
    return { code: 'timeout', message: 'the tool did not end in time', passing: true };
  const both = `${run.stderr}\n${run.stdout}`;
  const exceptions = [...both.matchAll(/\b(?:[a-z]\w*\.)+([A-Z]\w*)(?:Exception|Error)\b(?:: ([^\n]*))?/g)];
  const [, name, text] = exceptions.find(([, short]) => short !== 'Execution') ?? exceptions[0] ?? [];
  const said = /(?:Error while executing \w+ command : |Error occurred: )([^\n]*)/.exec(both)?.[1];
  return {
    code: name === undefined ? 'unknown' : `${name}Exception`,
    message: (said ?? text ?? lastLine(both)).trim(),
    passing: name === undefined ? false : !FINAL.test(name),
  };
}

/** The topic that was asked for is not there, in the words of whichever tool. */
export function isUnknownTopic(run: ToolRun): boolean {
  return (
    run.code !== 0 &&
    /does not exist as expected|UnknownTopicOrPartitionException|Could not match any topic-partitions/.test(
      `${run.stdout}${run.stderr}`,
    )
  );
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() || 'it said nothing';
}

/** A tool's output that reads otherwise than any we know: never guessed at. */
export class ToolOutputError extends Error {
  override readonly name = 'ToolOutputError';
}

/** What a parser throws for a line that it cannot read. */
export function unreadable(tool: string, line: string): ToolOutputError {
  return new ToolOutputError(
    `${tool} printed a line that Assay cannot read: ${JSON.stringify(line.slice(0, 200))}`,
  );
}
