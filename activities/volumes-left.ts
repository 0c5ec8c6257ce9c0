import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import { AwsError } from '../src/aws/errors.ts';
import { until } from '../src/lab/wait.ts';

const EBS_DRIVER = 'ebs.csi.aws.com';
const LIMIT_MS = 3 * 60_000;
const EVERY_MS = 5_000;

/**
 * EBS volumes of the lab that EC2 still knows, by the ids that were recorded before anything was deleted: what is billed is
 * not what a cluster says. Waits a while for those that are being deleted.
 *
 * @returns each named with its state; also in a sentence why EC2 could not be asked: then nothing is proven.
 */
export async function volumesLeft(bench: Bench, beat: Beat): Promise<readonly string[]> {
  const { kubernetes } = bench.plan.lab;
  if (kubernetes === undefined) return [];
  const { storeKeeper } = await import('../src/lab/kubernetes/record.ts');
  const recorded = (await storeKeeper(bench.store).read())?.volumes ?? [];
  const ids = recorded.flatMap(({ driver, volumeId }) =>
    driver === EBS_DRIVER && volumeId !== null ? [volumeId] : [],
  );
  if (ids.length === 0) return [];
  const { region } = kubernetes;
  if (region === null)
    return [
      `unverified: volumes ${ids.join(', ')} in EC2: their region is not known; write lab.kubernetes.region`,
    ];
  return askEc2(region, ids, beat);
}

async function askEc2(region: string, ids: readonly string[], beat: Beat): Promise<readonly string[]> {
  const [{ createEc2 }, { PATIENCE }] = await Promise.all([
    import('../src/aws/ec2.ts'),
    import('../src/aws/patience.ts'),
  ]);
  const ec2 = createEc2({ region });
  const patience = { ...PATIENCE, say: (text: string) => beat.say({ text }), signal: beat.signal };
  try {
    const ask = async () => ec2.volumes(ids, patience);
    const gone = async () => ((await ask()).length === 0 ? true : undefined);
    if ((await until(gone, { everyMs: EVERY_MS, limitMs: LIMIT_MS, signal: beat.signal })) === true)
      return [];
    return (await ask()).map(
      ({ id, state, sizeGiB, type, zone }) =>
        `EBS volume ${id} (${sizeGiB} GiB ${type} in ${zone}) is still ${state} in EC2, and billed`,
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return [`unverified: volumes ${ids.join(', ')} in EC2: ${error.message}`];
  } finally {
    ec2.close();
  }
}
