import type { Call, Cluster, Kinds, ObjectEvent, Ref } from './api/cluster.ts';
import type { LabDesign } from './objects/lab-design.ts';
import { ifAllowed } from './preflight/finding.ts';

/** Why a pod is not ready, in the cluster's own words. */

/** What is wrong with one pod (or with none where one should be), and how bad that is. */
export interface Trouble {
  readonly kind: 'unplaced' | 'trouble' | 'waiting';
  readonly pod: string;
  readonly code: string;
  /** One sentence that names the pod and quotes the cluster. */
  readonly why: string;
  readonly fix: string;
}

/** Of a broker's pod that the StatefulSet could not make: a quota, an admission rule. */
export async function whyNotCreated(
  cluster: Cluster,
  design: LabDesign,
  pod: string,
  call: Call,
): Promise<Trouble | null> {
  const { namespace, statefulSet } = design.names;
  const said = await lastEvent(
    cluster,
    { kind: 'StatefulSet', namespace, name: statefulSet },
    ['FailedCreate'],
    call,
  );
  return said === null
    ? { kind: 'waiting', pod, code: 'pods-not-ready', why: `Pod ${pod} is not there yet.`, fix: 'Try again.' }
    : {
        kind: 'trouble',
        pod,
        code: 'pod-refused',
        why: `Pod ${pod} is refused: the StatefulSet controller says "${said}".`,
        fix: 'Raise the quota or change the rule that refuses it, or ask for less in lab.kubernetes.',
      };
}

export async function whyNotReady(
  cluster: Cluster,
  design: LabDesign,
  pod: Kinds['Pod'],
  call: Call,
): Promise<Trouble | null> {
  const placed = pod.status?.conditions?.find((condition) => condition.type === 'PodScheduled');
  if (pod.spec?.nodeName === undefined) return unplaced(cluster, design, pod, placed?.message, call);
  return containerTrouble(cluster, pod, call);
}

async function unplaced(
  cluster: Cluster,
  { names, kubernetes }: LabDesign,
  pod: Kinds['Pod'],
  condition: string | undefined,
  call: Call,
): Promise<Trouble> {
  const name = pod.metadata?.name ?? '';
  const event = await lastEvent(cluster, refOf(pod), ['FailedScheduling'], call);
  const claims = (pod.spec?.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
  const volumes = await Promise.all(
    claims.map((claim) =>
      lastEvent(
        cluster,
        { kind: 'PersistentVolumeClaim', namespace: names.namespace, name: claim },
        ['ProvisioningFailed', 'FailedBinding'],
        call,
      ),
    ),
  );
  const failed = volumes.find((one) => one !== null);
  if (failed !== undefined)
    return {
      kind: 'trouble',
      pod: name,
      code: 'no-volume',
      why: `Pod ${name} has no volume: the provisioner says "${failed}".`,
      fix: 'Mend what the driver says, or change lab.kubernetes.storageClass.',
    };
  const who = names.brokerPod(0).replace(/-0$/, '') === name.replace(/-\d+$/, '') ? 'brokers' : 'clients';
  const labels = Object.entries(kubernetes[who].nodeLabels).map(([key, value]) => `${key}=${value}`);
  return {
    kind: 'unplaced',
    pod: name,
    code: 'unschedulable',
    why: `Pod ${name} has no node: the scheduler says "${event ?? condition ?? 'nothing yet'}".`,
    fix: `lab.kubernetes.${who}.nodes asks for ${labels.join(', ') || 'any node'}; change it, its tolerations or resources, or bring such nodes.`,
  };
}

/** Reasons of a waiting container that no waiting mends. */
const HOPELESS = [
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
];
const IMAGE = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];

async function containerTrouble(cluster: Cluster, pod: Kinds['Pod'], call: Call): Promise<Trouble> {
  const name = pod.metadata?.name ?? '';
  const [status] = pod.status?.containerStatuses ?? [];
  const waiting = status?.state?.waiting;
  const reason = waiting?.reason ?? '';
  if (IMAGE.includes(reason))
    return {
      kind: 'trouble',
      pod: name,
      code: 'image',
      why: `Pod ${name} cannot have its image ${status?.image ?? ''}: the kubelet says "${waiting?.message ?? reason}".`,
      fix: 'Name an image that the nodes can pull in lab.kubernetes.brokers.image and lab.kubernetes.clients.image.',
    };
  if (HOPELESS.includes(reason))
    return {
      kind: 'trouble',
      pod: name,
      code: 'container',
      why: `Pod ${name} cannot start: the kubelet says "${waiting?.message ?? reason}".`,
      fix: 'Mend what it says.',
    };
  if ((status?.restartCount ?? 0) > 0) return restarted(cluster, pod, status?.name ?? '', call);
  const event = await lastEvent(
    cluster,
    refOf(pod),
    ['FailedMount', 'FailedAttachVolume', 'FailedCreatePodSandBox'],
    call,
  );
  return {
    kind: event === null ? 'waiting' : 'trouble',
    pod: name,
    code: 'pods-not-ready',
    why: `Pod ${name} is not ready on node ${pod.spec?.nodeName ?? ''}${event === null ? '' : `: the kubelet says "${event}"`}.`,
    fix: 'See the log of the pod.',
  };
}

const LAST_LINES = 5;

/** A container that ended: once may be a race of the first start, so it gets its time like any other trouble. */
async function restarted(
  cluster: Cluster,
  pod: Kinds['Pod'],
  container: string,
  call: Call,
): Promise<Trouble> {
  const { name = '', namespace = '' } = pod.metadata ?? {};
  const [status] = pod.status?.containerStatuses ?? [];
  const ended = status?.lastState?.terminated ?? status?.state?.terminated;
  const log = await cluster
    .readLog({ namespace, pod: name, container, previous: true, tailLines: LAST_LINES }, call)
    .catch(() => '');
  const said = log.trim().split('\n').slice(-LAST_LINES).join(' / ').slice(0, 600);
  return {
    kind: 'trouble',
    pod: name,
    code: 'broker-start',
    why: `Pod ${name} ended ${status?.restartCount ?? 0} times, the last time with ${ended?.reason ?? 'no reason'} (exit code ${ended?.exitCode ?? '?'})${said === '' ? '' : `: "${said}"`}.`,
    fix: 'A setting of lab.brokers.config, the heap or the image may be what it does not start with.',
  };
}

function refOf(pod: Kinds['Pod']): Ref & { uid?: string } {
  const { name = '', namespace = '', uid } = pod.metadata ?? {};
  return { kind: 'Pod', namespace, name, ...(uid === undefined ? {} : { uid }) };
}

async function lastEvent(
  cluster: Cluster,
  ref: Ref & { readonly uid?: string },
  reasons: readonly string[],
  call: Call,
): Promise<string | null> {
  const looked = await ifAllowed<readonly ObjectEvent[]>(cluster.events(ref, call));
  return looked?.seen.findLast((event) => reasons.includes(event.reason))?.message ?? null;
}
