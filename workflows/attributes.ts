import { upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { PlanBrief } from '../activities/contract.ts';
import { NOT_A_MEASUREMENT } from '../src/design/smoke.ts';
import { REHEARSAL_MEMO } from '../src/temporal/status.ts';
import type { ASSAY_SEARCH_ATTRIBUTES, AssaySearchAttribute } from '../src/temporal/search-attributes.ts';

type Kinds = typeof ASSAY_SEARCH_ATTRIBUTES;

/** What one filters experiments and trials by in the Temporal UI. */
export type Attributes = { [Name in AssaySearchAttribute]?: Kinds[Name] extends 'Int' ? number : string };

/**
 * Sets search attributes, but only those that the server has: upserting an unknown one retries the workflow
 * task for ever.
 *
 * @param available names that the server knows, as the plan activity found them.
 */
export function tag(available: readonly string[], attributes: Attributes): void {
  const pairs = Object.entries(attributes)
    .filter(([name]) => available.includes(name))
    .map(([name, value]) =>
      typeof value === 'number'
        ? { key: defineSearchAttributeKey(name, 'INT'), value }
        : { key: defineSearchAttributeKey(name, 'KEYWORD'), value },
    );
  if (pairs.length > 0) upsertSearchAttributes(pairs);
}

/** Value of the search attribute AssayKind. */
export function kindOf({ smoke }: Pick<PlanBrief, 'smoke'>): string {
  return smoke === true ? 'rehearsal' : 'measurement';
}

/** A rehearsal says so in its memo, which lists of workflows show on every server, whoever started it. */
export function markRehearsal({ smoke }: PlanBrief): void {
  if (smoke === true) upsertMemo({ [REHEARSAL_MEMO]: NOT_A_MEASUREMENT });
}
