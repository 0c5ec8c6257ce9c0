/**
 * Defaults of the producer that decide what a batch or codec does, as `ProducerConfig` of the Kafka declares them whose
 * property tables we have (`KAFKA_PROPERTIES_VERSION`).
 */
export const PRODUCER_DEFAULTS = {
  acks: 'all',
  'batch.size': '16384',
  'compression.type': 'none',
  'linger.ms': '5',
} as const;
