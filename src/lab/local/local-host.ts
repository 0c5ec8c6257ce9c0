import { fileURLToPath } from 'node:url';
import type { Host } from '../host.ts';
import { createCapsuleHost } from '../capsule/capsule-host.ts';
import { createLocalTransport } from './local-transport.ts';

const CAPSULE_SCRIPT = fileURLToPath(new URL('../capsule/capsule.sh', import.meta.url));

export interface LocalHostOptions {
  readonly name: string;
  /** Absolute folder of its capsules and payloads; made when first needed. */
  readonly root: string;
  /** The environment of the scripts; default: ours. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A host that is a folder on this machine. Its capsules survive us. */
export function createLocalHost(options: LocalHostOptions): Host {
  const transport = createLocalTransport(options.env ?? process.env);
  return createCapsuleHost({ name: options.name, root: options.root, transport, script: CAPSULE_SCRIPT });
}
