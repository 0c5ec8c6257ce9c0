import { spawn } from 'node:child_process';
import type { Cluster, ExecOutcome } from '../../../../src/lab/kubernetes/api/cluster.ts';

export interface LocalPod {
  readonly exec: Cluster['exec'];
  readonly commands: (readonly string[])[];
}

/**
 * Runs the commands that go to a pod as processes of this machine: the scripts are the real ones. `spoil` may say another
 * outcome than what happened, as a broken connection does.
 */
export function localPod(
  env: NodeJS.ProcessEnv,
  spoil: (outcome: ExecOutcome, nth: number, argv: readonly string[]) => ExecOutcome = (outcome) => outcome,
): LocalPod {
  const commands: (readonly string[])[] = [];
  return {
    commands,
    async exec(_target, argv) {
      commands.push(argv);
      const nth = commands.length;
      return spoil(await runHere(argv, env), nth, argv);
    },
  };
}

function runHere(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<ExecOutcome> {
  const [command = '', ...rest] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const stderr = Buffer.concat(err).toString();
      resolve({ kind: 'exit', code: code ?? 255, stdout: Buffer.concat(out), stderr });
    });
  });
}

export const broken = (started: 'no' | 'maybe'): ExecOutcome => ({
  kind: 'unknown',
  why: 'The connection was closed (1006) without a status.',
  started,
  code: 'unreachable',
  stdout: Buffer.alloc(0),
  stderr: '',
});
