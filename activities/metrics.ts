import { beating, type Beat } from './beat.ts';
import { type Bench, environmentOf } from './bench.ts';
import type { HostActivities, MetricsBrief } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import type { LabFacts } from '../src/lab/lab.ts';
import { spanOf } from '../src/store/trial-span.ts';
import { asJson, FILES, loadTrials } from '../src/store/experiment-files.ts';

/** What CloudWatch counted on volumes and nodes while the trials ran. */
export function metricsActivities(deps: ActivityDeps): Pick<HostActivities, 'readMetrics'> {
  return {
    readMetrics: (ref) => beating(async (beat) => readMetrics(await deps.benches.open(ref), beat)),
  };
}

async function readMetrics(bench: Bench, beat: Beat): Promise<MetricsBrief> {
  const region = bench.plan.lab.kubernetes?.region ?? null;
  if (region === null) return { message: 'CloudWatch was not read: the region is not known' };
  // First: without a trial there may have been no lab either, and no facts about it.
  const span = spanOf(await loadTrials(bench.store));
  if (span === null) return { message: 'CloudWatch was not read: there was no trial' };
  const watched = watchedIn(await environmentOf(bench), volumeTypeOf(bench));
  if (watched.volumes.length === 0 && watched.instances.length === 0)
    return { message: 'CloudWatch was not read: neither volumes nor nodes are known to EC2' };
  const [{ collectMetrics, createCloudWatch }, { PATIENCE }] = await Promise.all([
    import('../src/aws/cloudwatch.ts'),
    import('../src/aws/patience.ts'),
  ]);
  const cloudWatch = createCloudWatch({ region });
  const patience = { ...PATIENCE, say: (text: string) => beat.say({ text }), signal: beat.signal };
  try {
    const record = await collectMetrics(cloudWatch, { region, watched, span }, patience);
    await bench.store.replace(FILES.metrics, asJson(record));
    const points = record.series.reduce((sum, one) => sum + one.points.length, 0);
    return { message: `CloudWatch: ${points} points of ${record.series.length} series, ${record.state}` };
  } finally {
    cloudWatch.close();
  }
}

/** '' = not known: some types have metrics of their own, which are not asked for then. */
function volumeTypeOf({ plan }: Bench): string {
  const storage = plan.lab.kubernetes?.storageClass;
  return storage?.mode === 'created' ? storage.type : '';
}

/** Volumes whose id is EBS's own, and nodes whose provider is EC2. */
function watchedIn({ volumes = [], pods = [] }: LabFacts, volumeType: string) {
  const instances = new Map<string, string>();
  for (const { facts } of pods) {
    if (facts['instance'] !== undefined) instances.set(facts['instance'], facts['instanceType'] ?? '');
  }
  return {
    volumes: volumes.flatMap(({ volumeId }) =>
      volumeId?.startsWith('vol-') === true ? [{ id: volumeId, type: volumeType }] : [],
    ),
    instances: [...instances].map(([id, type]) => ({ id, type })),
  };
}
