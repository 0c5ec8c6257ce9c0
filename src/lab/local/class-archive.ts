import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CapsuleSpec } from '../host.ts';
import { until } from '../wait.ts';
import { renderBrokerConfig, renderBrokerLogging } from './broker-config.ts';
import { withFileLock } from './file-lock.ts';
import type { Java } from './java.ts';
import { archiveCommand, brokerLog } from './java-command.ts';
import type { LabRecord, NodeRecord } from './lab-record.ts';
import { brokerHost, type LabSite } from './site.ts';

const LIMIT_MS = 90_000;

/**
 * A class-data archive for the brokers: made once for this JVM and these jars, kept in the cache. Making it costs
 * one start and stop of a throw-away node (9 s on two busy cores) and saves more than that at the first start of
 * three (33 s → 13 s), so it is made before. Best effort: null when it could not be made, and the lab starts without.
 */
export async function ensureClassArchive(
  site: LabSite,
  record: LabRecord,
  java: Java,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const archives = join(site.kafkaCache, 'archives');
  const archive = join(archives, `${archiveKey(java, record.kafka.libs)}.jsa`);
  if (existsSync(archive)) return archive;
  try {
    mkdirSync(archives, { recursive: true });
    return await withFileLock(join(archives, 'lock'), LIMIT_MS, async () => {
      if (existsSync(archive)) return archive;
      say('preparing the JVM for faster starts (once)');
      const made = await makeArchive(site, record, signal);
      if (made !== null) renameSync(made, archive);
      return made === null ? null : archive;
    });
  } catch (error) {
    signal.throwIfAborted();
    say(`starting without a class-data archive: ${(error as Error).message}`);
    return null;
  }
}

/** The JVM refuses an archive of another JVM or class path; so the name holds both. */
function archiveKey(java: Java, libs: string): string {
  const hash = createHash('sha256').update(`${java.path}\n${java.fullVersion}\n${libs}\n`);
  for (const jar of readdirSync(libs).sort()) {
    const { size, mtimeMs } = statSync(join(libs, jar));
    hash.update(`${jar} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Runs the throw-away node as a capsule of the lab, so that teardown and leaks know it too. Path of the archive, or null. */
async function makeArchive(site: LabSite, record: LabRecord, signal: AbortSignal): Promise<string | null> {
  const first = record.nodes[0];
  if (first === undefined) return null;
  const node: NodeRecord = { ...first, name: 'archive', folder: join(site.folder, 'archive') };
  const target = join(node.folder, 'classes.jsa');
  mkdirSync(node.folder, { recursive: true });
  writeFileSync(join(node.folder, 'server.properties'), renderBrokerConfig(node, [node], {}));
  writeFileSync(join(node.folder, 'log4j2.properties'), renderBrokerLogging(brokerLog(node)));
  const host = brokerHost(site);
  const name = `${site.key}/lab/archive/1`;
  const capsule: CapsuleSpec = {
    name,
    ...archiveCommand(record, node, site.folder, target),
    deadlineMs: LIMIT_MS,
    stdoutCapBytes: 64 << 10,
    stderrCapBytes: 64 << 10,
    stamp: false,
    identity: await host.identity(),
  };
  await host.launch(capsule);
  const ended = await until(async () => ((await host.poll(name)).state === 'running' ? undefined : true), {
    everyMs: 250,
    limitMs: LIMIT_MS,
    signal,
  });
  if (ended === undefined) await host.kill(name);
  const exit = (await host.poll(name)).exit;
  return exit?.code === 0 && existsSync(target) ? target : null;
}
