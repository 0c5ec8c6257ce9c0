/** What names of an experiment's topics, consumer groups and transactions begin with. Nothing else in a cluster is ours. */
export function ownPrefix(key: string): string {
  return `assay.${key}.`;
}

const LEGAL = /^[A-Za-z0-9._-]{1,249}$/;

/**
 * The name, if it is one of this experiment's.
 *
 * @throws Error for any other: our own mistake, and nothing of somebody else's is touched by it.
 */
export function ownName(key: string, name: string): string {
  if (name.startsWith(ownPrefix(key)) && LEGAL.test(name)) return name;
  throw new Error(`${JSON.stringify(name)} is no name of the experiment ${key}; it is left alone`);
}

/** The tools read a topic's name as a regular expression, in which a dot stands for any character: this means the name alone. */
export function namePattern(key: string, name: string): string {
  return ownName(key, name).replaceAll('.', '[.]');
}
