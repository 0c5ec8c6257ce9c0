import { CapsuleError, type CapsuleErrorCode } from '../capsule/capsule-error.ts';
import { ClusterError } from './api/cluster.ts';
import type { Cluster, ExecTarget } from './api/cluster.ts';

/** Which container of which pod something runs in. Any change in the middle of a trial voids it. */
export interface PodIdentity {
  readonly podUid: string;
  /** The runtime's id, `containerd://…`. */
  readonly runtimeId: string;
  readonly restarts: number;
  readonly node: string;
}

/** Asks the API. Rejects with a CapsuleError: `gone` without a pod, `transport` when the container does not run or nobody answers. */
export async function readPodIdentity(
  cluster: Pick<Cluster, 'get'>,
  target: ExecTarget,
): Promise<PodIdentity> {
  const { namespace, pod: name, container } = target;
  const refuse = (why: string, cause?: unknown, code: CapsuleErrorCode = 'transport'): never => {
    throw new CapsuleError(code, `The pod ${namespace}/${name} ${why}.`, { cause });
  };
  const pod = await cluster.get({ kind: 'Pod', namespace, name }).catch((error: unknown) => {
    if (error instanceof ClusterError) return refuse(`cannot be looked at: ${error.message}`, error);
    throw error;
  });
  if (pod === null) return refuse('is not there', undefined, 'gone');
  const status = pod.status?.containerStatuses?.find((one) => one.name === container);
  if (status?.state?.running === undefined) {
    const state = status?.state?.waiting?.reason ?? status?.state?.terminated?.reason ?? pod.status?.phase;
    return refuse(`has no running container ${container} (${state ?? 'unknown'})`);
  }
  return {
    podUid: pod.metadata?.uid ?? refuse('has no UID'),
    runtimeId: status.containerID ?? refuse(`does not say which container ${container} is`),
    restarts: status.restartCount,
    node: pod.spec?.nodeName ?? refuse('is on no node'),
  };
}
