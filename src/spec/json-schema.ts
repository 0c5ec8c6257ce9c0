import { z } from 'zod';
import { declaration, type PropertyKind, propertyNames } from './kafka-properties.ts';
import { specSchema } from './schema.ts';
import { WRITTEN, type Written } from './written.ts';

/** A JSON schema or a part of one. */
export type JsonSchema = { [key: string]: unknown };

const KINDS: readonly PropertyKind[] = ['broker', 'topic', 'producer', 'consumer'];

/**
 * The language as a JSON schema (draft 7, which editors know best), made from the zod declaration: keys, units,
 * defaults, meanings, and Kafka's own properties. It sees one value at a time: what only the whole spec shows
 * (paths of factors, scenarios, what Kafka refuses together) is left to `assay validate`.
 */
export function specJsonSchema(): JsonSchema {
  const made = z.toJSONSchema(specSchema, { io: 'input', target: 'draft-7', unrepresentable: 'any' });
  const schema = translated(made) as JsonSchema;
  const properties = schema['properties'] as Record<string, JsonSchema>;
  // Of zod's own: nothing is left of `extends` when a file has been read. In the file it is a list.
  delete properties['extends']?.['maxItems'];
  return {
    $schema: schema['$schema'],
    title: 'Spec of an Assay experiment',
    ...without(schema, ['$schema', 'required']),
    properties,
    patternProperties: { '^x-': { description: 'ignored: a place for YAML anchors' } },
    definitions: Object.fromEntries(KINDS.map((kind) => [kind, propertiesOf(kind)])),
    allOf: [
      // What this file leaves out another one may hold.
      unless('extends', { required: schema['required'] }),
      // Names of plugins are the user's own; without them every name must be Kafka's.
      unless('allowUnknown', { properties: strictNames() }),
    ],
  };
}

/** What must hold of a spec that has no such key. */
function unless(key: string, rule: JsonSchema): JsonSchema {
  return { anyOf: [{ required: [key] }, rule] };
}

function without(map: JsonSchema, keys: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}

/** Values with units and Kafka properties, which zod knows as text only, in the words of JSON schema. */
function translated(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(translated);
  if (typeof node !== 'object' || node === null) return node;
  const { writtenAs, propertiesOf: kafka, ...rest } = node as JsonSchema;
  const kept = without(rest, ['anyOf', 'type', 'additionalProperties', 'propertyNames']);
  if (typeof kafka === 'string') return { ...kept, allOf: [{ $ref: `#/definitions/${kafka}` }] };
  if (typeof writtenAs === 'string') return { ...kept, ...valueOf(writtenAs as Written) };
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, translated(value)]));
}

function valueOf(written: Written): JsonSchema {
  const { pattern, bare } = WRITTEN[written];
  return bare ? { type: ['number', 'string'], minimum: 0, pattern } : { type: 'string', pattern };
}

function propertiesOf(kind: PropertyKind): JsonSchema {
  const scalar = { type: ['string', 'number', 'boolean'] };
  return {
    type: 'object',
    properties: Object.fromEntries(
      propertyNames(kind).map((name) => [name, propertyOf(declaration(kind, name) ?? '')]),
    ),
    additionalProperties: scalar,
  };
}

/** `int [0,...]`, `string [none, gzip]`, `boolean` as Kafka declares it. */
function propertyOf(declared: string): JsonSchema {
  const description = `Kafka: ${declared}`;
  const words = /^string \[([^\]]+)\]$/.exec(declared)?.[1]?.split(', ');
  if (words === undefined || words.some((word) => word.includes('...')))
    return {
      description,
      type: declared === 'boolean' ? ['boolean', 'string'] : ['string', 'number', 'boolean'],
    };
  const numbers = words.filter((word) => /^-?\d+$/.test(word)).map(Number);
  return { description, enum: [...words, ...numbers] };
}

function strictNames(): JsonSchema {
  const only = (kind: PropertyKind): JsonSchema => ({
    properties: { config: { propertyNames: { enum: propertyNames(kind) } } },
  });
  const each = (kind: PropertyKind): JsonSchema => ({ additionalProperties: only(kind) });
  return {
    lab: { properties: { brokers: only('broker') } },
    topics: each('topic'),
    producers: each('producer'),
    consumers: each('consumer'),
  };
}
