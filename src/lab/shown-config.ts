/** Names whose effective values a report shows even when nobody set them. */
export const NOTABLE_SETTINGS: readonly string[] = [
  'num.io.threads',
  'num.network.threads',
  'num.replica.fetchers',
  'replica.lag.time.max.ms',
  'replica.fetch.max.bytes',
  'socket.send.buffer.bytes',
  'socket.receive.buffer.bytes',
  'log.segment.bytes',
  'log.flush.interval.messages',
  'log.retention.hours',
  'compression.type',
  'min.insync.replicas',
  'message.max.bytes',
  'broker.session.timeout.ms',
];

/** A setting that brokers were given, and who decided it. */
export interface GivenSetting {
  readonly value: string;
  readonly from: 'lab' | 'spec';
}

/** Names that a report shows, in order. */
export function shownNames(given: ReadonlyMap<string, GivenSetting>): readonly string[] {
  return [...new Set([...given.keys(), ...NOTABLE_SETTINGS])].sort();
}

/**
 * Settings as a broker has them, with where they come from: `8 (default)`, `1000 (set by the lab)`. Kafka answers null
 * for a set name that it does not know as a broker setting; that is said, because such a line does nothing.
 */
export function shownConfig(
  given: ReadonlyMap<string, GivenSetting>,
  effective: ReadonlyMap<string, { readonly value: string | null }>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    shownNames(given).map((name) => {
      const wanted = given.get(name);
      const found = effective.get(name)?.value ?? null;
      const origin =
        wanted === undefined ? 'default' : wanted.from === 'spec' ? 'set by the spec' : 'set by the lab';
      if (found !== null) return [name, `${found} (${origin})`];
      return [
        name,
        wanted === undefined ? 'unset (default)' : `${wanted.value} (${origin}; not confirmed by the broker)`,
      ];
    }),
  );
}
