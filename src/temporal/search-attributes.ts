/**
 * The search attributes of experiments and trials, for filtering in the Temporal UI. Pure: importable from
 * workflow code, which must upsert none that the server lacks (such a task is retried without end).
 */
export const ASSAY_SEARCH_ATTRIBUTES = {
  /** The experiment's workflow id. */
  AssayExperiment: 'Keyword',
  /** `measurement` or `rehearsal`. */
  AssayKind: 'Keyword',
  AssayPhase: 'Keyword',
  /** `12/28`. */
  AssayProgress: 'Keyword',
  AssayValidTrials: 'Int',
  AssayVoidTrials: 'Int',
  /** Of a trial `valid` or its reasons; of an experiment its outcome. */
  AssayVerdict: 'Keyword',
  AssayScenario: 'Keyword',
  AssayBlock: 'Int',
} as const satisfies Record<string, 'Keyword' | 'Int'>;

export type AssaySearchAttribute = keyof typeof ASSAY_SEARCH_ATTRIBUTES;

/** `--search-attribute Name=Type` arguments for the embedded server. */
export function searchAttributeArguments(): string[] {
  return Object.entries(ASSAY_SEARCH_ATTRIBUTES).flatMap(([name, type]) => [
    '--search-attribute',
    `${name}=${type}`,
  ]);
}

/** The part of a Temporal connection that is asked. Both Connection and NativeConnection have it. */
export interface OperatorConnection {
  readonly operatorService: {
    listSearchAttributes(request: { namespace: string }): Promise<{
      customAttributes?: Readonly<Record<string, unknown>> | null;
    }>;
  };
}

/** IndexedValueType of the wire format, which Temporal's typed keys do not export. */
const WIRE_TYPES = { Keyword: 2, Int: 3 } as const;

/**
 * Which of our search attributes cannot be used in the namespace: unknown to the server, or there with another
 * type (writing either makes the workflow task fail and retry without end).
 */
export async function missingSearchAttributes(
  connection: OperatorConnection,
  namespace: string,
): Promise<AssaySearchAttribute[]> {
  const known = (await connection.operatorService.listSearchAttributes({ namespace })).customAttributes ?? {};
  const names = Object.keys(ASSAY_SEARCH_ATTRIBUTES) as AssaySearchAttribute[];
  return names.filter((name) => known[name] !== WIRE_TYPES[ASSAY_SEARCH_ATTRIBUTES[name]]);
}
