import { html, type Markup } from '../markup.ts';
import { brokerName } from '../kubernetes/view.ts';
import type { ReportModel } from '../model.ts';
import { head, table, titled } from './section.ts';

/** Under which pod of the lab what kind of node is, and in what nodes of one kind differ. */
export function nodesSection(model: ReportModel): Markup | null {
  const view = model.kubernetes;
  if (view === null || view.nodes.length === 0) return null;
  const rows = view.nodes.map(
    (n) =>
      html`<tr><th scope="row">${brokerName(view, { lab: n.lab, broker: n.who })}</th><td>${n.pod}</td><td>${n.node ?? 'unknown'}</td><td>${n.instanceType ?? 'unknown'}${n.capacityType === null ? null : html` <span class="muted">${n.capacityType}</span>`}</td><td>${n.zone ?? 'unknown'}</td><td>${n.kernel ?? 'unknown'}</td><td>${n.java ?? 'unknown'}</td><td><code>${n.image ?? 'unknown'}</code></td></tr>`,
  );
  const header = head('', 'pod', 'node', 'instance type', 'zone', 'kernel', 'Java', 'image');
  const differences =
    view.differences.length === 0
      ? html`<p class="muted note">Brokers are alike in every fact that is recorded of them, and so are clients.</p>`
      : html`<ul>${view.differences.map((text) => html`<li class="warning">${text}</li>`)}</ul>`;
  return titled(
    'nodes',
    'Nodes',
    html`<div class="card wraps">${table('Pods of the lab and their nodes', header, rows)}${differences}</div>`,
  );
}
