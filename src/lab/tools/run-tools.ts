import { TOOL_LOGGING } from './tool-logging.ts';
import type { Transport } from '../transport.ts';
import { look, scriptText } from '../look.ts';
import { type ToolRun, unreadable } from './tool-error.ts';

const SCRIPT = scriptText('tools.sh', import.meta.url);
/** Beside the tools' own time: the pod has to be reached and JVMs to be started. */
const SLACK_MS = 15_000;

/** Where Kafka's tools can be run: a pod with Kafka's image, and a folder with their settings. */
export interface ToolPlace {
  readonly transport: Transport;
  /** Folder of the tools, `/opt/kafka/bin` in the official image. */
  readonly bin: string;
  /** Absolute, in the pod; see TOOL_FILES. */
  readonly folder: string;
}

export interface ToolCall {
  /** A tool's script without its `.sh`, e.g. `kafka-topics`. */
  readonly tool: string;
  readonly args: readonly string[];
  /** Wait for all before it; else it runs beside them. */
  readonly after?: true;
}

/** A tool that waits for a dead broker or a leader would do so for a minute; these limits are shorter than its own. */
const ADMIN_SETTINGS = 'default.api.timeout.ms=12000\nrequest.timeout.ms=8000\n';

/** Files that must lie in a tools' folder: name → content. */
export const TOOL_FILES: Readonly<Record<string, string>> = {
  'log4j2.properties': TOOL_LOGGING,
  'admin.properties': ADMIN_SETTINGS,
};

/**
 * Runs several tools by one exec and returns how each ended, in the order of the calls. All of them may run twice.
 * Rejects with a CapsuleError when the pod does not answer.
 */
export async function runTools(
  place: ToolPlace,
  calls: readonly ToolCall[],
  limitMs: number,
): Promise<readonly ToolRun[]> {
  const limitS = Math.ceil(limitMs / 1000);
  const words = calls.flatMap(({ tool, args, after }) => [
    after === true ? 'after' : 'beside',
    String(args.length + 1),
    tool,
    ...args,
  ]);
  const rounds = 1 + calls.filter(({ after }) => after === true).length;
  const text = await look(place.transport, {
    name: 'tools',
    script: SCRIPT,
    args: [place.bin, place.folder, String(limitS), ...words],
    deadlineMs: rounds * limitMs + SLACK_MS,
  });
  return parseRuns(text, calls.length);
}

/** Runs the first tool with an archive being written at its end, under a name of its own: nobody sees half of one. */
const ARCHIVE = `[[ ! -e $2/tools.jsa ]] || exit 0
export ASSAY_ARCHIVE=$2/.tools.$$
bash -c "$4" tools "$1" "$2" "$3" "\${@:5}" >/dev/null && mv "$ASSAY_ARCHIVE" "$2/tools.jsa"
rm -f "$ASSAY_ARCHIVE"`;
const ARCHIVE_LIMIT_MS = 60_000;

/**
 * Writes a class-data archive from one run of a tool, with which the JVMs of all later ones start in less than half the time.
 * Nothing depends on it: where it cannot be written, tools are slower.
 */
export async function archiveClasses(place: ToolPlace, { tool, args }: ToolCall): Promise<void> {
  await look(place.transport, {
    name: 'archive',
    script: ARCHIVE,
    args: [
      place.bin,
      place.folder,
      String(ARCHIVE_LIMIT_MS / 1000),
      SCRIPT,
      'beside',
      String(args.length + 1),
      tool,
      ...args,
    ],
    deadlineMs: ARCHIVE_LIMIT_MS + SLACK_MS,
  });
}

/** Reads the answer of tools.sh. */
export function parseRuns(text: string, count: number): readonly ToolRun[] {
  const bytes = Buffer.from(text);
  const runs: ToolRun[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\n', at);
    const head = bytes.subarray(at, end).toString();
    const match = /^tool (\d+) (\d+) (\d+)$/.exec(head);
    if (match === null || end < 0) throw unreadable('tools.sh', head);
    const [code, out, err] = match.slice(1).map(Number);
    const [from, middle] = [end + 1, end + 1 + (out ?? 0)];
    at = middle + (err ?? 0);
    runs.push({
      code: code ?? 0,
      stdout: bytes.subarray(from, middle).toString('utf8'),
      stderr: bytes.subarray(middle, at).toString('utf8'),
    });
  }
  if (runs.length !== count) throw unreadable('tools.sh', `${runs.length} of ${count} runs`);
  return runs;
}
