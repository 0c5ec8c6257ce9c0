import type { SamplerTarget } from '../lab.ts';
import { dataDisk, type DeviceReading } from './devices.ts';
import { isAlive, type LabPod } from './lab-pods.ts';
import type { NodeLook } from './node-facts.ts';
import { bringSampler, lookAtDevice, lookAtNode, type PodWay } from './pod-ways.ts';

/** What has been seen of one container of one pod. */
interface Seen {
  readonly look: NodeLook;
  readonly device: DeviceReading | null;
  readonly script: string;
}

/** What does not change while a container lives, asked once: trials ask for it again and again. */
export class PodMemory {
  readonly #seen = new Map<string, { readonly container: string; readonly seen: Promise<Seen> }>();

  async look(way: PodWay, pod: LabPod): Promise<NodeLook> {
    return (await this.#see(way, pod)).look;
  }

  /** What a sampler is to watch in a pod; of one that does not live, or does not answer, only its host. */
  async samplerTarget(way: PodWay, pod: LabPod | undefined): Promise<SamplerTarget> {
    const { host, name } = way;
    const seen = isAlive(pod) ? await this.#see(way, pod) : null;
    const clients = way.role === 'client' ? [name] : [];
    if (seen === null) return { host, device: null, netInterfaces: [], brokerPids: {}, clients };
    const { look, device, script } = seen;
    return {
      host,
      device: device === null ? null : dataDisk(device),
      netInterfaces: look.interfaces,
      brokerPids: look.brokerPid === null ? {} : { [name]: look.brokerPid },
      script,
      clients,
    };
  }

  #see(way: PodWay, { uid, containerId }: LabPod): Promise<Seen> {
    const container = `${uid} ${containerId}`;
    const known = this.#seen.get(way.pod);
    if (known?.container === container) return known.seen;
    const seen = lookAt(way);
    this.#seen.set(way.pod, { container, seen });
    seen.catch(() => this.#seen.delete(way.pod));
    return seen;
  }
}

/** Writes nothing to the data volume: this may happen while something is measured. */
async function lookAt(way: PodWay): Promise<Seen> {
  const [look, device, script] = await Promise.all([
    lookAtNode(way),
    way.role === 'broker' ? lookAtDevice(way, 0) : null,
    bringSampler(way),
  ]);
  return { look, device, script };
}
