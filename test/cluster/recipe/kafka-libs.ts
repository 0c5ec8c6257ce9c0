import { installKafka } from '../../../src/lab/local/kafka-install.ts';
import { resolveHome } from '../../../src/lab/home.ts';

/** Prints the folder of Kafka's jars, fetched once as the product fetches them. Argument: the version. */
const version = process.argv[2] ?? '';
const never = new AbortController().signal;
const install = await installKafka(
  resolveHome(),
  version,
  (text) => process.stderr.write(`${text}\n`),
  never,
);
process.stdout.write(`${install.libs}\n`);
