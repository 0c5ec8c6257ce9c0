import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { labObjects } from '../../../../src/lab/kubernetes/objects/all.ts';
import { designOf } from './support.ts';

/** One field that differs between the reference's template and what Assay applies, of one or more kinds of objects; `–` = is not there. */
export interface Difference {
  readonly object: string;
  readonly field: string;
  readonly template: string;
  readonly assay: string;
}

const ABSENT = '–';

/** Everything in which they differ, when the spec names namespace and class as the template does. */
export function differences(): readonly Difference[] {
  const theirs = new Map(template().map((object) => [object['kind'] as string, flat(object)]));
  const ours = new Map(applied().map((object) => [object['kind'] as string, flat(object)]));
  const found = [...new Set([...theirs.keys(), ...ours.keys()])].flatMap((object) => {
    const nothing = new Map<string, string>();
    const [before, after] = [theirs.get(object) ?? nothing, ours.get(object) ?? nothing];
    return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((field) => {
      const pair = {
        object,
        field,
        template: before.get(field) ?? ABSENT,
        assay: after.get(field) ?? ABSENT,
      };
      return pair.template === pair.assay ? [] : [pair];
    });
  });
  return grouped(found);
}

/** What is alike in several objects, said once. */
function grouped(found: readonly Difference[]): readonly Difference[] {
  const alike = Map.groupBy(found, ({ field, template, assay }) => [field, template, assay].join('\n'));
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, object: group.map((one) => one.object).join(', ') }];
  });
}

type Json = Record<string, unknown>;

function template(): readonly Json[] {
  const file = new URL('../../../fixtures/kafka-on-eks-template.yaml', import.meta.url);
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Json);
}

/** As they go over the wire: the client library writes `from` as `_from`. */
function applied(): readonly Json[] {
  const design = designOf({
    kubernetes: { namespace: { create: 'bench-kafka' }, storageClass: { name: 'bench-kafka-gp3' } },
  });
  return JSON.parse(JSON.stringify(labObjects(design)).replaceAll('"_from"', '"from"')) as Json[];
}

/** Paths of all values; variables and ports by their names, so that an added one moves nothing. */
function flat(value: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null) return found.set(path, String(value));
  if (Object.keys(value).length === 0) return found.set(path, JSON.stringify(value));
  const names = Array.isArray(value) ? value.map(nameOf) : [];
  const named = names.length > 0 && !names.includes(null);
  for (const [key, child] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${(named ? names[Number(key)] : null) ?? key}]` : key;
    const below = path === '' || step.startsWith('[') ? `${path}${step}` : `${path}.${step}`;
    if (named && path.endsWith('.env')) found.set(below, (child as { value: string }).value);
    else flat(child, below, found);
  }
  return found;
}

function nameOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null) return null;
  const { name, key } = item as { readonly name?: string; readonly key?: string };
  return name ?? key ?? null;
}
