import type { SpecIssue, SpecPath } from '../spec/issue.ts';
import type { Spec } from '../spec/schema.ts';

/*
 * What the language has and a lab cannot do: accepted by the schema, so that one spec serves every lab, and refused
 * here with the reason.
 */

/** Why the lab of this spec cannot run it; empty when it can. */
export function labRefusals(spec: Spec): readonly SpecIssue[] {
  const { target } = spec.lab;
  if (target !== 'local') {
    const message = `This version provisions local labs only, and the spec asks for ${target}. Write lab.target: local, or rehearse it with --smoke after that change.`;
    return [refusal(['lab', 'target'], message)];
  }
  return [...localRefusals(spec), ...storeRefusals(spec)];
}

function refusal(path: SpecPath, message: string): SpecIssue {
  return { code: 'not-supported-yet', path, at: 'value', message };
}

function localRefusals(spec: Spec): readonly SpecIssue[] {
  const { lab } = spec;
  const apart: readonly SpecIssue[] =
    lab.clients.apart === 'node'
      ? [
          {
            code: 'contradiction',
            path: ['lab', 'clients', 'apart'],
            at: 'value',
            message:
              'A local lab has one machine, so clients cannot be on nodes of their own; write apart: none.',
          },
        ]
      : [];
  const foreign: readonly (readonly [SpecPath, unknown])[] = [
    [['lab', 'namespace'], lab.namespace],
    [['lab', 'storageClass'], lab.storageClass],
    [['lab', 'nodes'], lab.nodes],
    [['lab', 'brokers', 'image'], lab.brokers.image],
    [['lab', 'brokers', 'resources'], lab.brokers.resources],
    [['lab', 'clients', 'image'], lab.clients.image],
    [['lab', 'clients', 'resources'], lab.clients.resources],
    [['lab', 'bootstrap'], lab.bootstrap],
    [['lab', 'clientProperties'], lab.clientProperties],
  ];
  return [
    ...apart,
    ...foreign
      .filter(([, value]) => value !== undefined)
      .map(([path]) =>
        refusal(
          path,
          `${path.join('.')} belongs to ${path[1] === 'bootstrap' || path[1] === 'clientProperties' ? 'an existing cluster' : 'a kubernetes lab'}; a local lab has none. Leave it out.`,
        ),
      ),
  ];
}

function storeRefusals(spec: Spec): readonly SpecIssue[] {
  return spec.store.s3 === undefined
    ? []
    : [
        refusal(
          ['store', 's3'],
          'This version keeps results in a folder only; write store.folder, or leave it out.',
        ),
      ];
}
