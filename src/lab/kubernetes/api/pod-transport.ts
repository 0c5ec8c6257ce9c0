import { setTimeout as delay } from 'node:timers/promises';
import { CapsuleError } from '../../capsule/capsule-error.ts';
import type { ExecResult, Transport } from '../../transport.ts';
import type { Cluster, ExecOutcome, ExecTarget } from './cluster.ts';
import { sendFile } from './send-file.ts';

const DETACH_DEADLINE_MS = 20_000;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 2_000;

/**
 * Commands and files in one container of one pod. `exec` asks again when a connection broke: its commands are ones that may
 * run twice, as all verbs of the capsule's script may.
 */
export function createPodTransport(cluster: Pick<Cluster, 'exec'>, target: ExecTarget): Transport {
  const exec = (argv: readonly string[], deadlineMs: number): Promise<ExecResult> =>
    execUntilKnown(cluster, target, argv, deadlineMs);
  return {
    exec,
    detach: (argv) => detach(cluster, target, argv),
    write: (path, content) =>
      sendFile((argv, deadlineMs) => run(cluster, target, argv, deadlineMs), path, content),
  };
}

async function execUntilKnown(
  cluster: Pick<Cluster, 'exec'>,
  target: ExecTarget,
  argv: readonly string[],
  deadlineMs: number,
): Promise<ExecResult> {
  const { code, stdout } = await run(cluster, target, argv, deadlineMs);
  return { code, stdout };
}

/** Runs a command that may run twice, until its exit code is known. */
async function run(
  cluster: Pick<Cluster, 'exec'>,
  target: ExecTarget,
  argv: readonly string[],
  deadlineMs: number,
  again: (outcome: ExecOutcome & { kind: 'unknown' }) => boolean = () => true,
): Promise<ExecOutcome & { kind: 'exit' }> {
  const end = performance.now() + deadlineMs;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const leftMs = Math.max(1, Math.ceil(end - performance.now()));
    const outcome = await cluster.exec(target, argv, { deadlineMs: leftMs });
    if (outcome.kind === 'exit') return outcome;
    const hopeless = outcome.code !== 'unreachable' && outcome.code !== 'other';
    if (hopeless || !again(outcome) || performance.now() + wait >= end) throw failure(target, argv, outcome);
    await delay(wait);
  }
}

/**
 * In a session of its own and without streams, so that it lives on when the exec's connection and its shell are gone.
 * Never repeated once it may have started: whoever launches looks for the claim.
 */
async function detach(
  cluster: Pick<Cluster, 'exec'>,
  target: ExecTarget,
  argv: readonly string[],
): Promise<void> {
  const script =
    'if command -v setsid >/dev/null; then set -- setsid "$@"; fi; trap "" HUP; "$@" </dev/null >/dev/null 2>&1 &';
  let maybe = false;
  try {
    const { code, stderr } = await run(
      cluster,
      target,
      ['sh', '-c', script, 'sh', ...argv],
      DETACH_DEADLINE_MS,
      (outcome) => {
        maybe ||= outcome.started === 'maybe';
        return !maybe;
      },
    );
    if (code !== 0) {
      throw new CapsuleError(
        'transport',
        `${place(target)} cannot start a process (${code}): ${stderr.trim()}`,
      );
    }
  } catch (error) {
    if (!maybe) throw error;
  }
}

function failure(
  target: ExecTarget,
  argv: readonly string[],
  outcome: ExecOutcome & { kind: 'unknown' },
): CapsuleError {
  const command = argv.slice(0, 4).map((word) => (word.length > 60 ? `${word.slice(0, 60)}…` : word));
  // A container that is not there may be starting again; a pod that is not there does not come back.
  if (outcome.code === 'not-found' && !/container/i.test(outcome.why))
    return new CapsuleError('gone', `The pod ${target.namespace}/${target.pod} is not there: ${outcome.why}`);
  return new CapsuleError(
    'transport',
    `It is not known how \`${command.join(' ')}\` ended in ${place(target)}: ${outcome.why}`,
  );
}

function place({ namespace, pod, container }: ExecTarget): string {
  return `the container ${container} of pod ${namespace}/${pod}`;
}
