import { html, type Markup } from '../markup.ts';
import type { ReportModel } from '../model.ts';
import type { ResourceRow } from '../resources.ts';
import { scenarioName } from './key.ts';
import { head, table, titled } from './section.ts';

/** What the machine did meanwhile: medians over the valid trials, from the samples inside the steady windows. */
export function resourcesSection(model: ReportModel): Markup | null {
  const [first] = model.resources;
  if (first === undefined) return null;
  const known = first.figures.flatMap((f, i) => (model.resources.some((r) => r.figures[i]?.text) ? [i] : []));
  const unknown = first.figures.filter((_, i) => !known.includes(i)).map((f) => f.name);
  const rows = model.resources.map(
    (row) =>
      html`<tr><th scope="row">${scenarioName(model, row.scenario)}</th>${row.who === undefined ? null : html`<td>${row.who}</td>`}<td class="n">${row.n}</td>${cells(row, known)}</tr>`,
  );
  const inPods = first.who !== undefined;
  const names = known.map((i) => `#${first.figures[i]?.name ?? ''}`);
  const header = head('scenario', ...(inPods ? ['pod'] : []), '#n', ...names);
  const lacking =
    unknown.length > 0 ? `Unknown in every trial: ${unknown.join('; ')}.` : 'An unknown counter is never 0.';
  const note = html`<p class="muted note">${inPods ? IN_PODS : model.clientsOnly ? CLIENTS_ONLY : ON_ONE_MACHINE} ${lacking}</p>`;
  return titled(
    'resources',
    'Resources',
    html`<div class="card wraps">${table('Resources by scenario', header, rows)}${note}</div>`,
  );
}

const ON_ONE_MACHINE =
  'Medians over the n valid trials, each over its steady window, from trials/…/sampler.jsonl. Brokers and clients: CPU time of their processes. PSI: share of the time in which some task waited. Network: all watched interfaces together; on one machine, brokers and clients talk to each other over it.';
const CLIENTS_ONLY =
  'The machine of the clients: the brokers are somebody else’s and were not sampled. Medians over the n valid trials, each over its steady window, from trials/…/sampler.jsonl. Clients: CPU time of their processes. PSI: share of the time in which some task waited. Network: interfaces towards the brokers.';
const IN_PODS =
  'Medians over the n valid trials, each over its steady window, from the sampler in each pod (trials/…/sampler.jsonl, sampler-2.jsonl and so on). Brokers and clients: CPU time of their processes. Network: of the pod. Device: of the broker’s data. Throttled: time over all CPUs of the pod, so it may pass 100 %. Whole machine, PSI and dirty memory: of the node under the pod, so pods on one node show the same, and nothing is added. –: it does not apply or is not known, never 0.';

/** A figure that a kind of pod cannot have is not unknown of it. */
function cells(row: ResourceRow, known: readonly number[]): readonly Markup[] {
  return known.map((i) => {
    const { text, n } = row.figures[i] ?? { text: null, n: 0 };
    const of = text !== null && n < row.n ? html` <span class="muted">(n ${n})</span>` : null;
    return html`<td class="n">${text ?? (row.who === undefined ? 'unknown' : '–')}${of}</td>`;
  });
}
