/** `npm run reference`: makes the tables of docs/spec.md anew from the declaration of the language. */
import { readFileSync, writeFileSync } from 'node:fs';
import { referencePage } from '../src/spec/reference-page.ts';

const page = new URL('../docs/spec.md', import.meta.url);
writeFileSync(page, referencePage(readFileSync(page, 'utf8')));
