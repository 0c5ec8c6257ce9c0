/** The smallest spec that may be run, as JSON; sections are replaced by those given. */
export function smallSpec(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: 'small',
    question: 'Does it matter?',
    factors: { batch: { set: 'producers.p.config.batch.size', levels: ['4KiB', '64KiB'] } },
    ...changes,
  };
}
