import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import type { Leftovers } from './contract.ts';
import { AwsError } from '../src/aws/errors.ts';
import { until } from '../src/lab/wait.ts';

const EBS_DRIVER = 'ebs.csi.aws.com';
const LIMIT_MS = 3 * 60_000;
const EVERY_MS = 5_000;
const NOTHING: Leftovers = { leaks: [], unverified: [] };

/**
 * EBS volumes of all labs of the experiment that EC2 still knows, by the ids that were recorded before anything was deleted:
 * what is billed is not what a cluster says. Waits a while for those that are being deleted.
 *
 * @returns each named with its state; `unverified` says why EC2 could not be asked: then nothing is proven.
 */
export async function volumesLeft(bench: Bench, beat: Beat): Promise<Leftovers> {
  const { kubernetes } = bench.plan.lab;
  if (kubernetes === undefined) return NOTHING;
  const { allVolumes, storeKeeper } = await import('../src/lab/kubernetes/record.ts');
  const recorded = await allVolumes(storeKeeper(bench.store));
  const ids = recorded.flatMap(({ driver, volumeId }) =>
    driver === EBS_DRIVER && volumeId !== null ? [volumeId] : [],
  );
  if (ids.length === 0) return NOTHING;
  const { region } = kubernetes;
  if (region === null) return unverified(ids, 'their region is not known; write lab.kubernetes.region');
  return askEc2(region, ids, beat);
}

function unverified(ids: readonly string[], why: string): Leftovers {
  return { leaks: [], unverified: [`volumes ${ids.join(', ')} in EC2: ${why}`] };
}

async function askEc2(region: string, ids: readonly string[], beat: Beat): Promise<Leftovers> {
  const [{ createEc2, volumesLeft: notGone }, { PATIENCE }] = await Promise.all([
    import('../src/aws/ec2.ts'),
    import('../src/aws/patience.ts'),
  ]);
  const ec2 = createEc2({ region });
  const patience = { ...PATIENCE, say: (text: string) => beat.say({ text }), signal: beat.signal };
  try {
    const ask = async () => notGone(ec2, ids, patience);
    const gone = async () => ((await ask()).length === 0 ? true : undefined);
    if ((await until(gone, { everyMs: EVERY_MS, limitMs: LIMIT_MS, signal: beat.signal })) === true)
      return NOTHING;
    const leaks = (await ask()).map(
      ({ id, state, sizeGiB, type, zone }) =>
        `EBS volume ${id} (${sizeGiB} GiB ${type} in ${zone}) is still ${state} in EC2, and billed`,
    );
    return { leaks, unverified: [] };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return unverified(ids, error.message);
  } finally {
    ec2.close();
  }
}
