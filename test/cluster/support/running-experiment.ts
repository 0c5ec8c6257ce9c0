import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { CLIENT_CONTAINER, SCRATCH_PATH } from '../../../src/lab/kubernetes/objects/names.ts';
import type { CurrentTrial, ExperimentStatus, RecentTrial } from '../../../src/temporal/status.ts';
import { pending } from '../../kill/support/phases.ts';
import { type Ended, run } from './command.ts';
import { clusterRun } from './run.ts';

/** Of the fixture. */
const LOAD = 'p';
const CLIENT_POD = 'client-c1';
const LOOK_MS = 100;
const MOMENT_MS = 400_000;
/** A query to a worker that was killed has no answer. */
const ANSWER_MS = 5_000;

/** A trial while its records flow. */
export interface LoadedTrial extends CurrentTrial {
  /** Experiment key. */
  readonly key: string;
  readonly namespace: string;
}

/** An experiment that `assay run` follows, and the moments at which a test does something to it. */
export class RunningExperiment {
  readonly id: string;
  /** How the command line ended. */
  readonly ended: Promise<Ended>;
  readonly #client: () => Promise<Client>;
  readonly #disturbed = new Set<string>();
  #end: Ended | null = null;

  constructor(id: string, ended: Promise<Ended>, client: () => Promise<Client>) {
    this.id = id;
    this.#client = client;
    this.ended = ended.then((end) => {
      this.#end = end;
      return end;
    });
    this.ended.catch(() => undefined);
  }

  /** Waits for a moment; fails at once when the experiment is over before it. */
  async moment<T>(
    what: string,
    ask: () => Promise<T | null | undefined | false>,
    limitMs = MOMENT_MS,
  ): Promise<T> {
    const until = performance.now() + limitMs;
    for (;;) {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) return answer;
      if (this.#end !== null)
        throw new Error(
          `it ended with exit code ${this.#end.code} before this: ${what}\n${this.#end.stderr}`,
        );
      if (performance.now() > until) throw new Error(`waited ${limitMs / 1000} s in vain: ${what}`);
      await delay(LOOK_MS);
    }
  }

  /** null: nobody answers now. */
  async status(): Promise<ExperimentStatus | null> {
    try {
      const client = await this.#client();
      const handle = client.workflow.getHandle(this.id);
      return await client.withDeadline(Date.now() + ANSWER_MS, () =>
        handle.query<ExperimentStatus>('status'),
      );
    } catch {
      return null;
    }
  }

  /** Waits until records flow in the first attempt at a trial that was not given before. */
  async midLoad(): Promise<LoadedTrial> {
    const found = await this.moment('records flow in a measured trial', async () => {
      const status = await this.status();
      const current = status?.current;
      if (status?.phase !== 'measuring' || !current || !/^b[1-9].*\/a1$/.test(current.id)) return null;
      if (this.#disturbed.has(current.id)) return null;
      const trial = { ...current, key: status.key, namespace: `assay-${status.key}` };
      return (await recordsFlow(trial)) ? trial : null;
    });
    this.#disturbed.add(found.id);
    return found;
  }

  /** Waits until the attempt has its verdict. */
  async verdictOf({ id }: LoadedTrial): Promise<RecentTrial> {
    return this.moment(`the verdict of ${id}`, async () => {
      const status = await this.status();
      return status?.recent.find((trial) => trial.id === id);
    });
  }

  /** Waits until the activity that follows the trial was cut off and is tried again. */
  async triedAgain({ id, workflowId }: LoadedTrial): Promise<void> {
    await this.moment(`what follows ${id} is tried again`, async () => {
      const now = await pending(await this.#client(), workflowId).catch(() => []);
      return now.some(({ attempt }) => attempt > 1);
    });
  }
}

/** Whether the load has written its first line of an interval and has not ended. */
async function recordsFlow({ key, namespace, id }: LoadedTrial): Promise<boolean> {
  const capsule = `${SCRATCH_PATH}/${key}/${id}/${LOAD}`;
  const script = 'test ! -e "$0/exit" && grep -q "records sent" "$0/stdout"';
  const where = ['-n', namespace, 'exec', CLIENT_POD, '-c', CLIENT_CONTAINER];
  const kubeconfig = ['--kubeconfig', clusterRun().kubeconfig];
  const asked = await run('kubectl', [...kubeconfig, ...where, '--', 'bash', '-c', script, capsule]);
  return asked.code === 0;
}
