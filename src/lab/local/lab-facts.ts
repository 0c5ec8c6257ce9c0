import { readFileSync, statfsSync } from 'node:fs';
import { arch, availableParallelism, cpus, release, totalmem } from 'node:os';
import type { LabFacts } from '../lab.ts';
import { shownConfig, shownNames } from '../shown-config.ts';
import { brokerSettings } from './broker-config.ts';
import { brokerJvmFlags } from './java-command.ts';
import type { KafkaAdmin } from './kafka-admin.ts';
import type { LabRecord } from './lab-record.ts';

/** What the report shows of the lab, read back from the brokers where they can be asked. */
export async function labFacts(record: LabRecord, admin: KafkaAdmin, folder: string): Promise<LabFacts> {
  const first = record.nodes[0];
  return {
    bootstrapServers: bootstrapServers(record),
    kafkaVersion: record.kafka.version,
    javaVersion: record.java.version,
    clusterId: record.clusterId,
    jvmFlags: first === undefined ? [] : brokerJvmFlags(record, first),
    pinning: record.pinning,
    machine: machineFacts(folder),
    brokerConfig: await effectiveConfig(record, admin),
  };
}

export function bootstrapServers(record: LabRecord): string {
  return record.nodes.map((n) => `127.0.0.1:${n.brokerPort}`).join(',');
}

/** Settings of the first broker, but for those that make it part of the lab. */
async function effectiveConfig(
  record: LabRecord,
  admin: KafkaAdmin,
): Promise<Readonly<Record<string, string>>> {
  const [first] = record.nodes;
  if (first === undefined) return {};
  const given = new Map(
    [...brokerSettings(first, record.nodes, record.plan.brokers.config)].flatMap(([name, { value, from }]) =>
      from === 'wiring' ? [] : [[name, { value, from }] as const],
    ),
  );
  return shownConfig(given, await admin.brokerSettings(first.nodeId, shownNames(given)));
}

/** The machine in plain words; what cannot be read is absent. */
export function machineFacts(folder: string): Readonly<Record<string, string>> {
  const stat = statfsSync(folder);
  const facts: Record<string, string> = {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: String(availableParallelism()),
    memoryMiB: String(Math.round(totalmem() / 1024 ** 2)),
    architecture: arch(),
    kernel: release(),
    dataFilesystem: filesystemOf(folder),
    diskTotalGiB: (((stat.blocks * stat.bsize) / 1024 ** 3) | 0).toString(),
  };
  const os = /^PRETTY_NAME="?([^"\n]*)/m.exec(readText('/etc/os-release'))?.[1];
  if (os !== undefined) facts['os'] = os;
  const governor = readText('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor').trim();
  if (governor !== '') facts['cpuGovernor'] = governor;
  const product = readText('/sys/class/dmi/id/product_name').trim();
  if (product !== '') facts['product'] = product;
  facts['virtual'] = /^flags\s*:.*\bhypervisor\b/m.test(readText('/proc/cpuinfo')) ? 'yes' : 'not seen';
  return facts;
}

/** Type of the file system below a folder, by the longest mount point that contains it. */
function filesystemOf(folder: string): string {
  let best = { mount: '', type: 'unknown' };
  for (const line of readText('/proc/self/mounts').split('\n')) {
    const [, mount = '', type = ''] = line.split(' ');
    const contains = mount === '/' || folder === mount || folder.startsWith(`${mount}/`);
    if (mount !== '' && contains && mount.length >= best.mount.length) best = { mount, type };
  }
  return best.type;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
