import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../store/store.ts';
import type { Kind, Ref } from './api/cluster.ts';
import { labObjects } from './objects/all.ts';
import type { LabDesign, LabIds } from './objects/lab-design.ts';

/**
 * What a lab consists of in the cluster. Every object stands here before it is created, so that a later process finds or
 * ends all of it; volumes stand here before anything is deleted, so that EC2 can be asked for them afterwards.
 */
export interface LabRecord {
  readonly format: 1;
  readonly ids: LabIds;
  /** Address of the API server, for messages. */
  readonly server: string;
  readonly objects: readonly RecordedObject[];
  readonly volumes: readonly RecordedVolume[];
}

interface RecordedObject {
  readonly kind: Kind;
  /** null: the kind has none. */
  readonly namespace: string | null;
  readonly name: string;
  /** null: recorded, and perhaps not created yet. */
  readonly uid: string | null;
}

export interface RecordedVolume {
  readonly claim: string;
  readonly claimUid: string;
  /** null: not bound, or we may not look. */
  readonly persistentVolume: string | null;
  readonly persistentVolumeUid: string | null;
  readonly reclaimPolicy: string | null;
  /** CSI driver; null = not known. */
  readonly driver: string | null;
  /** The driver's own name of the volume, of EBS `vol-…`. */
  readonly volumeId: string | null;
}

/** Where the record of the present lab is kept. */
export interface RecordKeeper {
  read(): Promise<LabRecord | null>;
  write(record: LabRecord): Promise<void>;
  /** Records of the labs that were before it; absent = none is kept. */
  earlier?(): Promise<readonly LabRecord[]>;
}

/** Volumes of the present lab and of all that were before it: a disk of the first lab is billed as one of the last. */
export async function allVolumes(keeper: RecordKeeper): Promise<readonly RecordedVolume[]> {
  const records = [...((await keeper.earlier?.()) ?? []), await keeper.read()];
  return records.flatMap((record) => record?.volumes ?? []);
}

/** The record of a lab that does not exist yet: names of everything that is about to be made. */
export function firstRecord(design: LabDesign, server: string): LabRecord {
  const { ids, names, plan } = design;
  const made = labObjects(design).map(({ kind, metadata }) =>
    recorded(kind, metadata?.namespace, metadata?.name ?? ''),
  );
  const claims = Array.from({ length: plan.brokers.count }, (_, i) =>
    recorded('PersistentVolumeClaim', names.namespace, names.claim(i)),
  );
  return { format: 1, ids, server, objects: [...made, ...claims], volumes: [] };
}

function recorded(kind: Kind, namespace: string | undefined, name: string): RecordedObject {
  return { kind, namespace: namespace ?? null, name, uid: null };
}

/** With the UID of an object that is there now. */
export function withUid(record: LabRecord, ref: Ref, uid: string): LabRecord {
  const objects = record.objects.map((one) =>
    one.kind === ref.kind && one.name === ref.name && one.namespace === (ref.namespace ?? null)
      ? { ...one, uid }
      : one,
  );
  return { ...record, objects };
}

/** With volumes as seen now; what was known of a claim that is gone stays. */
export function withVolumes(record: LabRecord, seen: readonly RecordedVolume[]): LabRecord {
  const byClaim = new Map(record.volumes.map((volume) => [volume.claimUid, volume]));
  for (const volume of seen) {
    const before = byClaim.get(volume.claimUid);
    if (before === undefined || volume.persistentVolume !== null) byClaim.set(volume.claimUid, volume);
  }
  return { ...record, volumes: [...byClaim.values()] };
}

/** A fresh id of a Kafka cluster: 16 random bytes as Kafka writes them, never beginning with a dash (as Uuid.randomUuid). */
export function newClusterId(): string {
  for (;;) {
    const id = randomBytes(16).toString('base64url');
    if (!id.startsWith('-')) return id;
  }
}

const PRESENT = 'lab/kubernetes.json';
/** One file a lab, by its Kafka cluster id. */
const EARLIER = 'lab/earlier/';

/**
 * The record in a store that workers on several machines share. When another lab is recorded, the record before it is put
 * aside.
 */
export function storeKeeper(store: Store): RecordKeeper {
  const at = async (path: string): Promise<LabRecord> =>
    parsed((await store.get(path)).toString('utf8'), path);
  const read = async (): Promise<LabRecord | null> => ((await store.has(PRESENT)) ? at(PRESENT) : null);
  return {
    read,
    async write(record) {
      const before = await read();
      if (before !== null && before.ids.clusterId !== record.ids.clusterId)
        await store.replace(`${EARLIER}${before.ids.clusterId}.json`, text(before));
      await store.replace(PRESENT, text(record));
    },
    async earlier() {
      return Promise.all((await store.list(EARLIER)).map(at));
    },
  };
}

/** The record in a folder of the home; a reader sees the old or the new one, never half of it. */
export function folderKeeper(folder: string): RecordKeeper {
  const file = join(folder, 'kubernetes-lab.json');
  return {
    read() {
      try {
        return Promise.resolve(parsed(readFileSync(file, 'utf8'), file));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Promise.resolve(null);
        throw error;
      }
    },
    write(record) {
      mkdirSync(folder, { recursive: true });
      const draft = `${file}.draft-${process.pid}`;
      writeFileSync(draft, text(record), { flush: true });
      renameSync(draft, file);
      return Promise.resolve();
    },
  };
}

function text(record: LabRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function parsed(json: string, where: string): LabRecord {
  const record = JSON.parse(json) as LabRecord;
  if (record.format !== 1)
    throw new Error(`${where} has format ${String(record.format)}; this Assay reads 1`);
  return record;
}
