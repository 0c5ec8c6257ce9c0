import type { Spec } from '../spec/schema.ts';

/** How somebody's cluster is reached; carried as `plan.lab.existing`. */
export interface ExistingPlan {
  /** `b1:9092,b2:9092`. */
  readonly bootstrapServers: string;
  /**
   * Absolute path of a Java client properties file on the worker's machine; null = PLAINTEXT without authentication. Its
   * content is nobody's business but the tools': only this path is ever stored.
   */
  readonly clientProperties: string | null;
}

/** Null for a lab of ours. */
export function existingPlanOf({ lab }: Spec): ExistingPlan | null {
  if (lab.target !== 'existing') return null;
  return {
    bootstrapServers: (lab.bootstrap ?? []).join(','),
    clientProperties: lab.clientProperties ?? null,
  };
}
