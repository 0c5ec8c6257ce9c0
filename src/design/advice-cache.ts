import { recordBytesOf } from '../spec/payload-size.ts';
import type { Spec } from '../spec/schema.ts';
import { type AdviceInput, speaksOf } from './advice-input.ts';
import { bytesIn } from './amounts.ts';
import type { Advice } from './plan.ts';

const COLD = /\bcold\b|uncached|from (the )?disks?\b/i;

/** A topic that is filled beforehand and read by some consumer. */
interface Replay {
  readonly topic: string;
  readonly cache: 'asis' | 'hot' | 'cold';
  /** Of all copies; null for a file that has not been read. */
  readonly bytes: number | null;
}

/** What the spec calls cold, and what is in nobody's hands: whether a replay comes from memory or from disk. */
export function onCache(input: AdviceInput): readonly Advice[] {
  const word = speaksOf(input.spec, COLD);
  const replays = [
    ...new Map(
      input.scenarios.flatMap(({ settings }) => replaysOf(settings)).map((r) => [key(r), r]),
    ).values(),
  ];
  const cold = replays.some(({ cache }) => cache === 'cold');
  return replays.flatMap((replay): readonly Advice[] => {
    if (word !== null && !cold) return [coldUnproven(replay, word)];
    return replay.cache === 'asis' ? [uncontrolled(replay)] : [];
  });
}

function key({ topic, cache }: Replay): string {
  return `${topic} ${cache}`;
}

/** The filled topics that consumers of this scenario read. */
export function replaysOf(settings: Spec): readonly Replay[] {
  const read = new Set(
    Object.values(settings.consumers).flatMap((c) => (c.enabled && c.processes > 0 ? [c.topic] : [])),
  );
  return Object.entries(settings.topics).flatMap(([topic, { fill, replication }]): readonly Replay[] => {
    if (fill === undefined || !read.has(topic)) return [];
    const recordBytes = recordBytesOf(fill.payload);
    const bytes = recordBytes === null ? null : fill.records * recordBytes * replication;
    return [{ topic, cache: fill.cache, bytes }];
  });
}

function coldUnproven({ topic, cache, bytes }: Replay, word: string): Advice {
  const size =
    bytes === null
      ? ''
      : ` It holds ${bytesIn(bytes)} in all copies: a machine with more memory than that keeps all of it cached.`;
  const how =
    cache === 'hot' ? 'after all of it was read once, so that it is hot' : 'as the page cache happens to be';
  const message = `The spec speaks of "${word}", and topic "${topic}" is read ${how}.${size} Write topics.${topic}.fill.cache: cold.`;
  return { code: 'cold-unproven', message };
}

function uncontrolled({ topic }: Replay): Advice {
  const message = `Topic "${topic}" is read as the page cache happens to be, which depends on what ran before: trials may differ by that alone. Write topics.${topic}.fill.cache: hot, or cold. (The report says for each trial what it was.)`;
  return { code: 'cache-not-controlled', message };
}
