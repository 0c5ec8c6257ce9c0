import { readFileSync } from 'node:fs';
import { KAFKA_PROPERTIES_VERSION } from '../spec/kafka-properties.generated.ts';

/** The version of the language of specs: what `assay:` says at their top. */
const LANGUAGE = 1;

const PACKAGE = new URL('../../package.json', import.meta.url);

/** What `assay --version` prints: everything that decides how a spec is read and run. */
export function versionText(): string {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  return [
    `assay ${version}`,
    `node ${process.versions.node}`,
    `kafka ${KAFKA_PROPERTIES_VERSION}`,
    `language ${LANGUAGE}`,
  ].join('\n');
}
