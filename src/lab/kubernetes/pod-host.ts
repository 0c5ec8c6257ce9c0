import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { createCapsuleHost } from '../capsule/capsule-host.ts';
import { CapsuleError } from '../capsule/capsule-error.ts';
import type { Host, HostIdentity } from '../host.ts';
import type { Transport } from '../transport.ts';
import type { Cluster, ExecTarget } from './api/cluster.ts';
import { createPodTransport } from './api/pod-transport.ts';
import { readPodIdentity } from './pod-identity.ts';
import type { PodIdentity } from './pod-identity.ts';

/** The main one last: where it is, all are. */
const SCRIPTS = ['processes.sh', 'streams.sh', 'runner.sh', 'capsule.sh'];
/** What bash says of a script that is not there. */
const NO_SCRIPT = 127;

export interface PodHostOptions extends ExecTarget {
  readonly name: string;
  readonly cluster: Pick<Cluster, 'exec' | 'get'>;
  /** Folder of its capsules and payloads in the pod: an emptyDir. Default `/assay`. */
  readonly root?: string;
}

/** Its identity has, beyond what the container itself says, what the API says of it. */
export interface PodHost extends Host {
  identity(): Promise<HostIdentity & PodIdentity>;
}

/**
 * A host that is a container of a pod. Capsules and their scripts lie on an emptyDir: they outlive a container, not a pod.
 * A pod or container that was replaced has another identity, and refuses launches for the one before. The image needs
 * bash ≥ 5, and Debian's or busybox's tools.
 */
export function createPodHost(options: PodHostOptions): PodHost {
  const root = options.root ?? '/assay';
  const scripts = readScripts(root);
  const transport = withScripts(createPodTransport(options.cluster, options), scripts);
  const script = posix.join(scripts.folder, 'capsule.sh');
  const host = createCapsuleHost({ name: options.name, root, transport, script });
  return Object.assign(host, { identity: identify(host.identity.bind(host), options) });
}

interface Scripts {
  /** Named by what is in it: a newer Assay brings its own and touches no other. */
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly content: Buffer }[];
}

function readScripts(root: string): Scripts {
  const files = SCRIPTS.map((name) => ({
    name,
    content: readFileSync(new URL(`../capsule/${name}`, import.meta.url)),
  }));
  const hash = createHash('sha256');
  for (const { content } of files) hash.update(content);
  return { folder: posix.join(root, '.scripts', hash.digest('hex').slice(0, 16)), files };
}

/** Brings the scripts when they are missed: in a new pod, and in one whose emptyDir is new. */
function withScripts(transport: Transport, { folder, files }: Scripts): Transport {
  let bringing: Promise<void> | null = null;
  const bring = async (): Promise<void> => {
    for (const { name, content } of files) await transport.write(posix.join(folder, name), content);
  };
  return {
    ...transport,
    async exec(argv, deadlineMs) {
      const result = await transport.exec(argv, deadlineMs);
      if (result.code !== NO_SCRIPT || result.stdout.length > 0) return result;
      bringing ??= bring().finally(() => {
        bringing = null;
      });
      await bringing;
      return transport.exec(argv, deadlineMs);
    },
  };
}

/** The container's own word counts; the API's is read after it and must be about the same pod. */
function identify(
  inside: () => Promise<HostIdentity>,
  options: PodHostOptions,
): () => Promise<HostIdentity & PodIdentity> {
  return async () => {
    const said = await inside();
    const pod = await readPodIdentity(options.cluster, options);
    if (said.podUid !== undefined && said.podUid !== pod.podUid) {
      throw new CapsuleError(
        'identity',
        `The pod ${options.namespace}/${options.pod} is being replaced: ${said.podUid} answered, ${pod.podUid} is there now.`,
      );
    }
    return { ...said, ...pod };
  };
}
