import { describe, expect, test } from 'vitest';
import { attemptsByActivity } from '../../kill/support/phases.ts';
import type { Recorded } from '../../aws/support/fault-proxy.ts';
import { get } from '../support/command.ts';
import { expectComplete, measuredTrials } from '../support/complete.ts';
import { leftOver } from '../support/left-over.ts';
import type { RunningExperiment } from '../support/running-experiment.ts';
import { resultOf, setStage } from '../support/stage.ts';

/* The worker dies while something is there that no record knows of, and while half of the lab is gone. */

interface Listed {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly uid: string } }[];
}

const ID = 'worker-killed';
const OURS = ['--all-namespaces', '-l', 'app.kubernetes.io/managed-by=assay'];

const stage = setStage();
let run: RunningExperiment;

const uidsOf = async (kind: string) =>
  (await get<Listed>(kind, ...OURS)).items.map(({ metadata }) => metadata.uid);

/** A record in which the brokers' StatefulSet has a UID: it is written once that is made. */
function recordsBrokers({ method, path, body }: Recorded): boolean {
  if (method !== 'PUT' || !path.includes('/lab/kubernetes.json')) return false;
  const { objects } = JSON.parse(body.toString('utf8')) as {
    objects: { kind: string; uid: string | null }[];
  };
  return objects.some(({ kind, uid }) => kind === 'StatefulSet' && uid !== null);
}

describe('a worker that is killed', { timeout: 600_000 }, () => {
  test('between the creation of the brokers and its record finds them again', async () => {
    stage.proxy.fail(recordsBrokers, { kind: 'refuse' }, Number.POSITIVE_INFINITY);
    run = stage.start(ID, { sets: ['design.blocks=1'], limitMs: 1_200_000 });
    await run.moment('the brokers are made, and their record does not arrive', async () =>
      stage.proxy.requests.some(recordsBrokers),
    );
    const made = await uidsOf('statefulsets');
    expect(made).toHaveLength(1);
    await stage.own.killWorker();
    stage.proxy.clear();
    await run.moment('it measures', async () => (await run.status())?.phase === 'measuring');
    expect(await uidsOf('statefulsets')).toEqual(made);
    expect(await uidsOf('namespaces')).toHaveLength(1);
    expect((await attemptsByActivity(await stage.client(), ID)).get('provisionLab')).toBeGreaterThan(1);
  });

  test('in the middle of the teardown goes on with it', async () => {
    await run.moment('the brokers are gone, their claims are not', async () => {
      if ((await run.status())?.phase !== 'tearing-down') return false;
      const [brokers, claims] = [await uidsOf('statefulsets'), await uidsOf('persistentvolumeclaims')];
      return brokers.length === 0 && claims.length > 0;
    });
    await stage.own.killWorker();
    const ended = await run.ended;
    expect(ended.code, ended.stderr).toBe(4);
    expect((await attemptsByActivity(await stage.client(), ID)).get('teardownLab')).toBeGreaterThan(1);
    const { result, store } = resultOf(ended);
    expect(result).toMatchObject({ outcome: 'completed', leaks: [], voided: 0 });
    expectComplete(await measuredTrials(store), 1);
    expect(await leftOver()).toEqual([]);
  });
});
