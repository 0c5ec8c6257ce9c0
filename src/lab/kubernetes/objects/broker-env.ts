import { envNameOf } from '../../../design/broker-variables.ts';
import type { LabPlan } from '../../../design/plan.ts';
import { labDepartures } from '../../lab-departures.ts';
import type { LabDesign } from './lab-design.ts';
import { BROKER_PORT, CONTROLLER_PORT, DATA_PATH, SCRATCH_PATH } from './names.ts';

/** A variable of a container. */
interface EnvVar {
  readonly name: string;
  readonly value: string;
}

/** Settings of the brokers as they are to run now; what varies is laid on the plan's (src/lab/broker-settings.ts). */
export type BrokerSection = Pick<LabPlan['brokers'], 'config' | 'heapBytes' | 'jit'>;

/**
 * Environment of a broker's container: wiring of the lab, the spec's settings, and what Assay needs of every lab.
 * @throws Error for a property that the image cannot take, or that the lab sets itself.
 */
export function brokerEnv(design: LabDesign, settings: BrokerSection): readonly EnvVar[] {
  const wiring = wiringOf(design);
  const departures = labDepartures(design.plan.brokers.count);
  const config = new Map<string, string>(Object.entries({ ...departures, ...settings.config }));
  const variables = [...config].map(([property, value]) => {
    const name = envNameOf(property);
    if (name === null || name in wiring)
      throw new Error(`lab.brokers.config.${property} cannot be given to brokers of a kubernetes lab`);
    return { name, value: escaped(value) };
  });
  return [
    ...Object.entries(wiring).map(([name, value]) => ({ name, value })),
    ...variables.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    { name: 'KAFKA_HEAP_OPTS', value: heapOptions(settings.heapBytes) },
    { name: 'KAFKA_OPTS', value: jvmOptions(settings.jit) },
  ];
}

/** Kubernetes puts the value of a variable in place of `$(NAME)`; `$$` is one dollar. */
function escaped(value: string): string {
  return value.replaceAll('$(', '$$$$(');
}

function wiringOf({ plan, names, ids }: LabDesign): Readonly<Record<string, string>> {
  const voters = Array.from(
    { length: plan.brokers.count },
    (_, i) => `${i}@${names.brokerAddress(i)}:${CONTROLLER_PORT}`,
  );
  return {
    CLUSTER_ID: ids.clusterId,
    KAFKA_PROCESS_ROLES: 'broker,controller',
    KAFKA_CONTROLLER_QUORUM_VOTERS: voters.join(','),
    KAFKA_LISTENERS: `PLAINTEXT://0.0.0.0:${BROKER_PORT},CONTROLLER://0.0.0.0:${CONTROLLER_PORT}`,
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    KAFKA_INTER_BROKER_LISTENER_NAME: 'PLAINTEXT',
    KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
    KAFKA_LOG_DIRS: `${DATA_PATH}/kafka`,
  };
}

function heapOptions(bytes: number): string {
  const size =
    bytes % 1024 ** 3 === 0
      ? `${bytes / 1024 ** 3}G`
      : bytes % 1024 ** 2 === 0
        ? `${bytes / 1024 ** 2}M`
        : String(bytes);
  return `-Xms${size} -Xmx${size}`;
}

/** A broker out of memory must be seen to die. The broker is process 1 (%p); a tool in the pod has a log of its own. */
function jvmOptions(jit: BrokerSection['jit']): string {
  return [
    '-XX:+ExitOnOutOfMemoryError',
    ...(jit === 'c1' ? ['-XX:TieredStopAtLevel=1'] : []),
    `-Xlog:gc:file=${SCRATCH_PATH}/gc-%p.log:timemillis:filecount=2,filesize=16M`,
  ].join(' ');
}
