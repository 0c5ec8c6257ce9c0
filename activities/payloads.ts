import type { Bench } from './bench.ts';
import { voids } from './errors.ts';
import { corpus, corpusSha256 } from '../src/design/corpus.ts';
import type { ProducerLoad } from '../src/design/plan.ts';
import { asJson } from '../src/store/experiment-files.ts';

interface Corpus {
  readonly bytes: Buffer;
  readonly sha256: string;
}

const made = new WeakMap<Bench, Map<string, Corpus>>();

/** The corpus of this name; made once an open experiment, the same bytes everywhere. */
function corpusOf(bench: Bench, name: string): Corpus {
  const known = made.get(bench) ?? new Map<string, Corpus>();
  made.set(bench, known);
  const before = known.get(name);
  if (before !== undefined) return before;
  const payload = bench.plan.payloads.find((p) => p.name === name);
  if (payload === undefined) throw voids('bug', `the plan has no payload ${name}`);
  if (payload.kind === 'file') throw voids('bug', `payload ${name} is a file`);
  const bytes = corpus(payload);
  const now = {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    sha256: corpusSha256(bytes),
  };
  known.set(name, now);
  return now;
}

/** Puts the load's payload on its host, unless it is there; returns its path there. */
export async function putPayload(bench: Bench, load: ProducerLoad): Promise<string> {
  const { bytes, sha256 } = corpusOf(bench, load.payload);
  return bench.lab.client(load.on).putFile(`payloads/${sha256}.txt`, bytes, sha256);
}

/** Records hash and size of every corpus. */
export async function recordPayloads(bench: Bench): Promise<void> {
  const payloads = Object.fromEntries(
    bench.plan.payloads.map(({ name }) => {
      const { bytes, sha256 } = corpusOf(bench, name);
      return [name, { sha256, bytes: bytes.length }];
    }),
  );
  await bench.store.put('payloads.json', asJson({ format: 1, payloads }));
}
