import { html, type Markup } from '../markup.ts';
import type { ReportModel } from '../model.ts';
import { scenarioName } from './key.ts';
import { head, table, titled } from './section.ts';

/** What the machine did meanwhile: medians over the valid trials, from the samples inside the steady windows. */
export function resourcesSection(model: ReportModel): Markup | null {
  const [first] = model.resources;
  if (first === undefined) return null;
  const known = first.figures.flatMap((f, i) => (model.resources.some((r) => r.figures[i]?.text) ? [i] : []));
  const unknown = first.figures.filter((_, i) => !known.includes(i)).map((f) => f.name);
  const rows = model.resources.map((row) => {
    const cells = known.map((i) => {
      const { text, n } = row.figures[i] ?? { text: null, n: 0 };
      const of = text !== null && n < row.n ? html` <span class="muted">(n ${n})</span>` : null;
      return html`<td class="n">${text ?? 'unknown'}${of}</td>`;
    });
    return html`<tr><th scope="row">${scenarioName(model, row.scenario)}</th><td class="n">${row.n}</td>${cells}</tr>`;
  });
  const header = head('scenario', '#n', ...known.map((i) => `#${first.figures[i]?.name ?? ''}`));
  const note = html`<p class="muted note">Medians over the n valid trials, each over its steady window, from trials/…/sampler.jsonl. Brokers and clients: CPU time of their processes. PSI: share of the time in which some task waited. Network: all watched interfaces together; on one machine, brokers and clients talk to each other over it. ${unknown.length > 0 ? `Unknown in every trial: ${unknown.join('; ')}.` : 'An unknown counter is never 0.'}${ofOneNode(model)}</p>`;
  return titled(
    'resources',
    'Resources',
    html`<div class="card wraps">${table('Resources by scenario', header, rows)}${note}</div>`,
  );
}

/** In pods every broker has its own sampler, and a trial's record holds what the first one saw. */
function ofOneNode({ kubernetes }: ReportModel): string | null {
  if (kubernetes === null) return null;
  const first = kubernetes.nodes[0];
  const where =
    first === undefined ? 'the first pod' : `${first.who} and of the node ${first.node ?? 'under it'}`;
  return ` All of this is of ${where} alone; other pods are in the samples (sampler-2.jsonl and so on), and what each volume did is below.`;
}
