import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterRun } from './run.ts';

/** A request of an account of the namespace `assay`, as the API server wrote it into its audit log (recipe/up.sh). */
export interface Audited {
  /** `list apps/statefulsets`, `get /pods/exec`: verb, group, resource. */
  readonly right: string;
  /** That its roles did not allow it; an admission rule's refusal is none. */
  readonly refused: boolean;
  /** Of the answer. */
  readonly status: number;
}

interface AuditEvent {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number; readonly message?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

function events(): readonly AuditEvent[] {
  const text = readFileSync(join(clusterRun().folder, 'logs', 'audit.jsonl'), 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEvent);
}

/** How much the log holds now: where a later look begins. */
export function auditPosition(): number {
  return events().length;
}

/** What an account of the namespace `assay` has asked since then; questions that are about no resource are left out. */
export function auditedSince(position: number, account: string): readonly Audited[] {
  return events()
    .slice(position)
    .filter(({ user }) => user.username === `system:serviceaccount:assay:${account}`)
    .flatMap((event) => {
      const { verb, objectRef, responseStatus, annotations } = event;
      if (objectRef === undefined) return [];
      const { apiGroup = '', resource, subresource } = objectRef;
      const status = responseStatus?.code ?? 0;
      const forbidden = annotations?.['authorization.k8s.io/decision'] === 'forbid';
      const name = [resource, subresource].filter(Boolean).join('/');
      // A right that is asked beside that of the verb is refused in the answer alone; a command is let in by no admission rule.
      const said = / cannot \w+ resource /.test(responseStatus?.message ?? '');
      const beside = status === 403 && (said || name === 'pods/exec');
      return [{ right: `${verb} ${apiGroup}/${name}`, refused: forbidden || beside, status }];
    });
}

const CREATED = 201;
const SWITCHED = 101;

/**
 * The rights that these requests needed. Two are asked beside that of the verb: a server-side apply that makes the object
 * needs `create`, and a WebSocket to a command (a `get`) needs it too. service-account.test.ts shows both.
 */
export function rightsUsed(requests: readonly Audited[]): ReadonlySet<string> {
  return new Set(
    requests
      .filter(({ refused }) => !refused)
      .flatMap(({ right, status }) => {
        const made = right.startsWith('patch ') && status === CREATED;
        const socket = right === 'get /pods/exec' && status === SWITCHED;
        return made || socket ? [right, right.replace(/^\w+/, 'create')] : [right];
      }),
  );
}
