import { readFile, stat } from 'node:fs/promises';
import type { Bench } from './bench.ts';
import { voids } from './errors.ts';
import { corpus, corpusSha256 } from '../src/design/corpus.ts';
import type { FilePayload } from '../src/design/plan.ts';
import { InfrastructureError } from '../src/lab/errors.ts';
import { payloadFile } from '../src/lab/home.ts';
import { asJson } from '../src/store/experiment-files.ts';

interface Corpus {
  readonly bytes: Buffer;
  readonly sha256: string;
}

const made = new WeakMap<Bench, Map<string, Promise<Corpus>>>();

/** The corpus of this name; made or read once an open experiment, the same bytes everywhere. */
function corpusOf(bench: Bench, name: string): Promise<Corpus> {
  const known = made.get(bench) ?? new Map<string, Promise<Corpus>>();
  made.set(bench, known);
  const before = known.get(name);
  if (before !== undefined) return before;
  const now = makeCorpus(bench, name);
  known.set(name, now);
  // What was not there may be there at the next try.
  now.catch(() => known.delete(name));
  return now;
}

async function makeCorpus(bench: Bench, name: string): Promise<Corpus> {
  const payload = bench.plan.payloads.find((p) => p.name === name);
  if (payload === undefined) throw voids('bug', `the plan has no payload ${name}`);
  if (payload.kind === 'file') return keptFile(bench, payload);
  const made = corpus(payload);
  const bytes = Buffer.from(made.buffer, made.byteOffset, made.byteLength);
  return { bytes, sha256: corpusSha256(made) };
}

/** The user's file as the CLI kept it in the home of whoever submitted the spec. */
async function keptFile(bench: Bench, { file, sha256, bytes: size }: FilePayload): Promise<Corpus> {
  const path = payloadFile(bench.home, sha256);
  const fix = `Run the experiment with \`assay run\` on this machine and with this ASSAY_HOME, or copy ${file} to ${path}.`;
  const found = await stat(path).catch(() => null);
  if (found === null)
    throw new InfrastructureError(
      'no-payload',
      `The payload file ${file} (SHA-256 ${sha256.slice(0, 12)}…) is not in the home of this worker.`,
      fix,
    );
  const bytes = await readFile(path);
  const is = corpusSha256(bytes);
  if (is === sha256) return { bytes, sha256 };
  throw new InfrastructureError(
    'no-payload',
    `The payload file ${file} is not the one that was planned: its SHA-256 is ${is.slice(0, 12)}… (${bytes.length} B) instead of ${sha256.slice(0, 12)}… (${size} B).`,
    fix,
  );
}

/** Puts a payload on a client host, unless it is there; returns its path there. */
export async function putPayload(bench: Bench, name: string, client: string): Promise<string> {
  const { bytes, sha256 } = await corpusOf(bench, name);
  return bench.lab.client(client).putFile(`payloads/${sha256}.txt`, bytes, sha256);
}

/** Records hash and size of every corpus. */
export async function recordPayloads(bench: Bench): Promise<void> {
  const payloads: Record<string, { sha256: string; bytes: number }> = {};
  for (const { name } of bench.plan.payloads) {
    const { bytes, sha256 } = await corpusOf(bench, name);
    payloads[name] = { sha256, bytes: bytes.length };
  }
  await bench.store.put('payloads.json', asJson({ format: 1, payloads }));
}
