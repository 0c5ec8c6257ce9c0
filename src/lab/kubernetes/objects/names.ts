import type { KubernetesPlan } from '../../../design/kubernetes-plan.ts';

/** What everything of one lab is called in the cluster. Pure: the same experiment finds its objects again. */
export interface LabNames {
  readonly namespace: string;
  readonly storageClass: string;
  readonly statefulSet: string;
  readonly service: string;
  readonly networkPolicy: string;
  /** Name of a client's pod: of client `c1`, `client-c1`. */
  readonly clientPod: (client: string) => string;
  /** Name of a broker's pod by its ordinal, which is its node id too. */
  readonly brokerPod: (ordinal: number) => string;
  /** Name of a broker's claim. */
  readonly claim: (ordinal: number) => string;
  /** Address of a broker in the cluster, without a port. */
  readonly brokerAddress: (ordinal: number) => string;
}

export const BROKER_PORT = 9092;
export const CONTROLLER_PORT = 9093;
export const BROKER_CONTAINER = 'kafka';
export const CLIENT_CONTAINER = 'client';
/** Template of the claims of brokers. */
export const DATA_VOLUME = 'data';
/** Where capsules, payload files and logs of the JVM are, in pods of both kinds. */
export const SCRATCH_PATH = '/assay';
export const DATA_PATH = '/var/lib/kafka/data';

/**
 * A namespace of its own needs no prefixes; in a given one two experiments stand side by side. `key` is that of
 * src/design/names.ts: at most 41 characters, so that the longest name (of a revision of the StatefulSet) fits 63.
 */
export function labNames(plan: KubernetesPlan, key: string): LabNames {
  const own = `assay-${key}`;
  const { namespace, storageClass, domain } = plan;
  const prefix = namespace.mode === 'created' ? '' : `${prefixOf(key)}-`;
  const names = {
    namespace: namespace.name ?? own,
    storageClass: storageClass.name ?? own,
    statefulSet: `${prefix}kafka`,
    service: `${prefix}kafka-hs`,
    networkPolicy: `${prefix}brokers`,
  };
  const brokerPod = (ordinal: number) => `${names.statefulSet}-${ordinal}`;
  return {
    ...names,
    clientPod: (client) => `${prefix}client-${client}`,
    brokerPod,
    claim: (ordinal) => `${DATA_VOLUME}-${brokerPod(ordinal)}`,
    brokerAddress: (ordinal) => `${brokerPod(ordinal)}.${names.service}.${names.namespace}.svc.${domain}`,
  };
}

/** A Service's name begins with a letter (RFC 1035); a key may begin with a digit. */
function prefixOf(key: string): string {
  return /^[a-z]/.test(key) ? key : `k-${key}`;
}
