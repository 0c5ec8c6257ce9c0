import { join } from 'node:path';
import type { Host } from '../host.ts';
import { createLocalHost } from './local-host.ts';

/** Where a local lab lives: all of it below one folder, but for its ports. */
export interface LabSite {
  readonly key: string;
  /** Absolute; `labs/<key>` of the home. */
  readonly folder: string;
  /** What all users of the machine share: the register of ports. */
  readonly machineDir: string;
  /** Where Kafka's jars and archives are cached. */
  readonly kafkaCache: string;
}

/** The host of the brokers' capsules. */
export function brokerHost(site: LabSite): Host {
  return createLocalHost({ name: 'brokers', root: join(site.folder, 'brokers') });
}

/** The host of one client; its capsules and payloads lie in `clients/<name>`. */
export function clientHost(site: LabSite, name: string): Host {
  return createLocalHost({ name, root: join(site.folder, 'clients', name) });
}
