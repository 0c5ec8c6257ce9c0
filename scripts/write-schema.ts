/** `npm run schema`: writes schema/assay-spec.schema.json from the declaration of the language. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { specJsonSchema } from '../src/spec/json-schema.ts';

mkdirSync(new URL('../schema/', import.meta.url), { recursive: true });
writeFileSync(
  new URL('../schema/assay-spec.schema.json', import.meta.url),
  `${JSON.stringify(specJsonSchema(), null, 2)}\n`,
);
