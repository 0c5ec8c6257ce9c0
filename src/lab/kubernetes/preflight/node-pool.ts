import type { CustomObject } from '../api/cluster.ts';

/** What Assay reads of Karpenter's NodePool (karpenter.sh/v1). */
export interface NodePool {
  readonly name: string;
  /** null = never. */
  readonly expireAfterMs: number | null;
  /** terminationGracePeriod: the time that a drain may take; null = as long as it takes. */
  readonly drainLimitMs: number | null;
  /** Whether its nodes could carry these labels. */
  readonly mayHave: (labels: Readonly<Record<string, string>>) => boolean;
}

type Tree = { readonly [key: string]: unknown };

/** Karpenter's own default of expireAfter, where the field is left out. */
const DEFAULT_EXPIRY_MS = 720 * 3_600_000;

export function readNodePool(object: CustomObject): NodePool {
  const template = tree(tree(object.spec)['template']);
  const spec = tree(template['spec']);
  const expiry = spec['expireAfter'];
  const labels = tree(tree(template['metadata'])['labels']);
  const requirements = Array.isArray(spec['requirements']) ? spec['requirements'].map(tree) : [];
  return {
    name: object.metadata?.name ?? '',
    expireAfterMs: expiry === undefined ? DEFAULT_EXPIRY_MS : durationMs(expiry),
    drainLimitMs: durationMs(spec['terminationGracePeriod']),
    mayHave: (wanted) =>
      Object.entries(wanted).every(([key, value]) =>
        key in labels
          ? labels[key] === value
          : allows(
              key,
              value,
              requirements.filter((one) => one['key'] === key),
            ),
      ),
  };
}

/** Labels that Karpenter sets by itself on what it makes; others must be required or templated. */
const WELL_KNOWN = /(^|\.)(kubernetes\.io|k8s\.aws|karpenter\.sh)\//;

function allows(key: string, value: string, requirements: readonly Tree[]): boolean {
  if (requirements.length === 0) return WELL_KNOWN.test(key);
  return requirements.every(({ operator, values }) => {
    const listed = Array.isArray(values) ? values.map(String) : [];
    if (operator === 'In') return listed.includes(value);
    if (operator === 'NotIn') return !listed.includes(value);
    if (operator === 'Gt') return Number(value) > Number(listed[0]);
    if (operator === 'Lt') return Number(value) < Number(listed[0]);
    return operator !== 'DoesNotExist';
  });
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Go's way to write times: `720h`, `1h30m`; `Never`, nothing and what is no time are null. */
export function durationMs(text: unknown): number | null {
  if (typeof text !== 'string' || !/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(text)) return null;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0),
    0,
  );
}

function tree(value: unknown): Tree {
  return typeof value === 'object' && value !== null ? (value as Tree) : {};
}
