import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import type { TrialInput } from './contract.ts';
import { voids } from './errors.ts';
import { runToEnd } from './run-to-end.ts';
import { trialCapsule } from '../src/design/names.ts';
import type { TopicPlan } from '../src/design/plan.ts';
import type { LogFiles } from '../src/lab/lab.ts';

const LIMIT_MS = 30 * 60_000;

/**
 * Clean pages are dropped file by file, never those of the whole machine. Reading with `nocache` and a count of 0 only
 * gives the advice (POSIX_FADV_DONTNEED), and nothing is opened for writing.
 */
const DROP = 'sync -- "$@" && for file; do dd if="$file" iflag=nocache count=0 status=none || exit 1; done';
/** Once through everything. */
const READ = 'cat -- "$@" >/dev/null';

/** Makes the page cache of a topic what its fill asks for: dropped on every broker, or read once from every leader. */
export async function preparePageCache(
  bench: Bench,
  trial: TrialInput,
  topic: TopicPlan,
  name: string,
  beat: Beat,
): Promise<void> {
  const cache = topic.fill?.cache ?? 'asis';
  if (cache === 'asis') return;
  beat.say({
    phase: 'fill',
    text: cache === 'cold' ? `dropping ${topic.name} from the page cache` : `reading ${topic.name} once`,
  });
  const brokers = await bench.lab.logFiles(name);
  for (const broker of brokers) {
    const files = cache === 'cold' ? broker.files : broker.ledFiles;
    if (files.length === 0) continue;
    const capsule = trialCapsule(trial.ref.key, trial, `cache.${topic.name}.${broker.broker}`);
    await runOn(broker, capsule, cache === 'cold' ? DROP : READ, files, beat);
  }
}

/** Harmless to do twice: the capsule's folder goes at once, so that a retry runs it anew. */
async function runOn(
  { host, broker }: LogFiles,
  capsule: string,
  script: string,
  files: readonly string[],
  beat: Beat,
): Promise<void> {
  const argv = ['bash', '-c', script, 'page-cache', ...files];
  const end = await runToEnd(host, { name: capsule, argv, limitMs: LIMIT_MS, everyMs: 100 }, beat);
  await host.kill(capsule);
  await host.remove(capsule);
  if (end?.exit?.code !== 0)
    throw voids(
      'fill-failed',
      `the page cache of broker ${broker} could not be prepared: ${end?.stderr.toString('utf8').trim() || 'it took too long'}`,
    );
}
