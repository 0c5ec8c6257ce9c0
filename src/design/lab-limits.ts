import type { SpecIssue, SpecPath } from '../spec/issue.ts';
import type { Spec } from '../spec/schema.ts';
import { existingRefusals } from './existing-limits.ts';
import { kubernetesRefusals } from './kubernetes-limits.ts';

/*
 * What the language has and a lab cannot do: accepted by the schema, so that one spec serves every lab, and refused
 * here with the reason.
 */

/** Labs that activities can bring up (activities/open-lab.ts). */
export const PROVISIONED: readonly Spec['lab']['target'][] = ['local', 'kubernetes', 'existing'];

/** Why the lab of this spec cannot run it; empty when it can. */
export function labRefusals(spec: Spec, provisioned = PROVISIONED): readonly SpecIssue[] {
  const { target } = spec.lab;
  if (!provisioned.includes(target)) {
    const message = `This version provisions ${provisioned.join(' and ')} labs only, and the spec asks for ${target}. Write lab.target: local, or rehearse it with --smoke after that change.`;
    return [notYet(['lab', 'target'], message)];
  }
  return [...ofTarget(spec), ...storeRefusals(spec)];
}

function ofTarget(spec: Spec): readonly SpecIssue[] {
  if (spec.lab.target === 'existing') return existingRefusals(spec);
  return spec.lab.target === 'kubernetes'
    ? [...kubernetesRefusals(spec), ...existingOnly(spec, 'a kubernetes lab')]
    : localRefusals(spec);
}

function notYet(path: SpecPath, message: string): SpecIssue {
  return { code: 'not-supported-yet', path, at: 'value', message };
}

function localRefusals(spec: Spec): readonly SpecIssue[] {
  const { clients, kubernetes } = spec.lab;
  const found: SpecIssue[] = [];
  if (clients.apart === 'node')
    found.push({
      code: 'contradiction',
      path: ['lab', 'clients', 'apart'],
      at: 'value',
      message: 'A local lab has one machine, so clients cannot be on nodes of their own; write apart: none.',
    });
  if (kubernetes !== undefined)
    found.push({
      code: 'contradiction',
      path: ['lab', 'kubernetes'],
      at: 'key',
      message:
        'lab.kubernetes belongs to a kubernetes lab; a local lab has none. Leave it out, or write lab.target: kubernetes.',
    });
  return [...found, ...existingOnly(spec, 'a local lab')];
}

/** Settings of somebody's cluster in a lab that is ours. */
function existingOnly({ lab }: Spec, ours: string): readonly SpecIssue[] {
  return (['bootstrap', 'clientProperties'] as const)
    .filter((key) => lab[key] !== undefined)
    .map((key) => ({
      code: 'contradiction',
      path: ['lab', key],
      at: 'key',
      message: `lab.${key} belongs to an existing cluster; ${ours} has none. Leave it out.`,
    }));
}

function storeRefusals({ store }: Spec): readonly SpecIssue[] {
  if (store.s3 === undefined || store.folder === null) return [];
  const message = 'store.folder and store.s3 are two places for the same results. Leave one of them out.';
  return [{ code: 'contradiction', path: ['store', 's3'], at: 'key', message }];
}
