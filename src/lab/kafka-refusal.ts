/** Kafka refused a request for good: trying again would not help. `code` is Kafka's own, e.g. `INVALID_CONFIG`. */
export class KafkaRefusal extends Error {
  override readonly name = 'KafkaRefusal';
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
