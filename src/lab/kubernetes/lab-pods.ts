import { type Cluster, EXPERIMENT_LABEL, type Kinds } from './api/cluster.ts';

/** One pod of a lab, as far as its lab wants to know. */
export interface LabPod {
  readonly name: string;
  readonly uid: string;
  readonly node: string | null;
  /** Its container's id in the runtime, `containerd://…`; null = it has none yet. */
  readonly containerId: string | null;
  readonly restarts: number;
  readonly running: boolean;
  readonly ready: boolean;
  /** It ran and will not again (`Failed`, `Succeeded`). */
  readonly ended: boolean;
  /** Somebody deleted it: it ends soon, whatever it does now. */
  readonly ending: boolean;
  /** Digest of the image that runs. */
  readonly image: string | null;
  /** Why it does not run: `CrashLoopBackOff`, `Unschedulable: 0/3 nodes …`; null = it does, or says nothing. */
  readonly why: string | null;
}

/** All pods of an experiment by name, in one question. */
export async function readLabPods(
  cluster: Pick<Cluster, 'list'>,
  namespace: string,
  key: string,
): Promise<ReadonlyMap<string, LabPod>> {
  const pods = await cluster.list('Pod', { namespace, labels: { [EXPERIMENT_LABEL]: key } });
  return new Map(pods.map(labPod).map((pod) => [pod.name, pod]));
}

/** The pods of a lab have one container each. */
export function labPod({ metadata, spec, status }: Kinds['Pod']): LabPod {
  const container = status?.containerStatuses?.[0];
  const running = container?.state?.running !== undefined;
  return {
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    node: spec?.nodeName ?? null,
    containerId: container?.containerID ?? null,
    restarts: container?.restartCount ?? 0,
    running,
    ready: running && container.ready,
    ended: status?.phase === 'Failed' || status?.phase === 'Succeeded',
    ending: metadata?.deletionTimestamp !== undefined,
    image: container?.imageID ?? null,
    why: running ? null : whyNot(status),
  };
}

function whyNot(status: Kinds['Pod']['status']): string | null {
  const state = status?.containerStatuses?.[0]?.state;
  const word = state?.waiting ?? state?.terminated;
  if (word?.reason !== undefined) return [word.reason, word.message].filter(Boolean).join(': ');
  const scheduled = status?.conditions?.find(
    ({ type, status: is }) => type === 'PodScheduled' && is === 'False',
  );
  if (scheduled !== undefined) return [scheduled.reason, scheduled.message].filter(Boolean).join(': ');
  return status?.reason ?? status?.phase ?? null;
}

/** A broker or client that lives: it runs, and nobody has asked for its end. */
export function isAlive(pod: LabPod | undefined): pod is LabPod {
  return pod !== undefined && pod.running && !pod.ending;
}

/** What a pod is now. Another pod, container, restart or node is another identity, and voids what was being measured. */
export function identityOf({ uid, containerId, restarts, node }: LabPod): string {
  return `pod ${uid}, container ${containerId ?? 'unknown'}, ${restarts} restarts, on ${node ?? 'no node'}`;
}
