import { list, table, text } from '../markdown-parts.ts';
import { agreementText, MEDIAN_HEADS, medianCells } from './volume-text.ts';
import { brokerName, type KubernetesView } from './view.ts';

/** Volumes, nodes and cost for an issue; each part may be empty. */
export function kubernetesMarkdown(view: KubernetesView): readonly string[] {
  return [
    medians(view),
    list('Volumes', volumes(view)),
    list('Nodes', nodes(view)),
    list('Cost', view.cost.lines),
  ];
}

function medians(view: KubernetesView): string {
  if (view.medians.length === 0) return '';
  const rows = view.medians.map((one) => [one.scenario, ...medianCells(view, one)].map(text));
  return table(MEDIAN_HEADS, rows);
}

function volumes(view: KubernetesView): readonly string[] {
  if (view.volumes.length === 0) return [];
  return [
    ...view.volumes.map((one) => `${brokerName(view, one)}: ${one.result}. ${one.seen}`),
    ...view.sharedDevices,
    view.cloudWatch.text,
    ...view.cloudWatch.notes,
    agreementText(view),
  ];
}

/** A line for each kind of node, with who is there. */
function nodes(view: KubernetesView): readonly string[] {
  const byKind = new Map<string, string[]>();
  for (const row of view.nodes) {
    const { instanceType, zone, kernel, java, image } = row;
    const facts = [
      instanceType ?? 'unknown type',
      zone ?? 'unknown zone',
      `kernel ${kernel ?? 'unknown'}`,
      `Java ${java ?? 'unknown'}`,
      image ?? 'unknown image',
    ];
    const kind = facts.join(', ');
    const who = brokerName(view, { lab: row.lab, broker: row.who });
    byKind.set(kind, [...(byKind.get(kind) ?? []), `${who} on ${row.node ?? 'an unknown node'}`]);
  }
  return [...[...byKind].map(([kind, who]) => `${kind}: ${who.join(', ')}`), ...view.differences];
}
