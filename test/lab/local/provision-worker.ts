// A worker that provisions a lab; the test kills it on the way.
import type { LocalLabOptions } from '../../../src/lab/local/local-lab.ts';
import { createLocalLab } from '../../../src/lab/local/local-lab.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as LocalLabOptions;
await createLocalLab(options).provision(
  (text) => process.stdout.write(`${text}\n`),
  new AbortController().signal,
);
