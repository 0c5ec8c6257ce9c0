/** Brokers and loads in a sampler's process table; the prefix keeps a load named `b1` apart from broker b1. */
export const BROKER_PREFIX = 'broker.';
export const LOAD_PREFIX = 'load.';
