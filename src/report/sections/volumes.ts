import { html, type Markup } from '../markup.ts';
import type { CreditRow } from '../kubernetes/credits.ts';
import { brokerName, type KubernetesView } from '../kubernetes/view.ts';
import { agreementText, MEDIAN_HEADS, medianCells, ROW_HEADS, rowCells } from '../kubernetes/volume-text.ts';
import { type ReportModel, trialPlace } from '../model.ts';
import { integer } from '../text.ts';
import { rawLink } from './details.ts';
import { scenarioName } from './key.ts';
import { head, table, titled } from './section.ts';

/** The brokers' volumes of a lab in pods: which they are, what CloudWatch and the nodes counted on them. */
export function volumesSection(model: ReportModel): Markup | null {
  const view = model.kubernetes;
  if (view === null || view.volumes.length === 0) return null;
  return titled(
    'volumes',
    'Volumes',
    html`${mapping(view)}${medians(model, view)}${credits(view.credits)}${allRows(model, view)}`,
  );
}

function mapping(view: KubernetesView): Markup {
  const rows = view.volumes.map(
    (v) =>
      html`<tr><th scope="row">${brokerName(view, v)}</th><td>${v.node ?? 'not known'}</td><td>${v.claim ?? 'not known'}</td><td><code>${v.volumeId ?? 'not known'}</code></td><td><code>${v.device ?? 'not known'}</code></td><td><span class="badge ${v.result === 'verified' ? 'decided' : 'open'}">${v.result}</span></td><td class="why">${v.seen}</td></tr>`,
  );
  const header = head('broker', 'node', 'claim', 'volume', 'device', 'mapping', 'what was seen');
  const note = html`<p class="muted note">Verified: the claim's volume, the serial number of the disk under the broker's data and a counter of that disk which rises when something is written there agree. Unverified: one of them could not be had; the figures below may then be those of another disk.</p>`;
  const shared = view.sharedDevices.map((text) => html`<p class="warning">${text}</p>`);
  return html`<div class="card wraps">${table('Data volumes of the brokers', header, rows)}${shared}${note}</div>`;
}

function medians(model: ReportModel, view: KubernetesView): Markup {
  const rows = view.medians.map((median) => {
    const [broker, volume, ...numbers] = medianCells(view, median);
    return html`<tr><th scope="row">${scenarioName(model, median.scenario)}</th><td>${broker}</td><td><code>${volume}</code></td>${numbers.map((text) => html`<td class="n">${text}</td>`)}</tr>`;
  });
  const shown =
    rows.length === 0
      ? null
      : table('Written bytes and operations by scenario and volume', head(...MEDIAN_HEADS), rows);
  const notes = view.cloudWatch.notes.map((text) => html`<p class="warning">${text}</p>`);
  const state = html`<p class="${view.cloudWatch.state === 'stable' ? 'muted note' : 'warning'}">${view.cloudWatch.text}</p>`;
  const note = html`<p class="muted note">Medians over the valid trials, secondary: no verdict rests on them. CloudWatch: whole bins (minutes) that lie inside the steady window, Σ ÷ time; “of the window” is the share that they cover. Device: what the node's kernel counted over the whole window. Both saw the same bytes, so they are never added, and neither are volumes. EBS merges and splits operations, so the two need not count equally many. ${agreementText(view)}</p>`;
  return html`<div class="card wraps">${shown}${state}${notes}${note}</div>`;
}

/** Extremes while trials ran; in and out apart, because their credits are. */
function credits(rows: readonly CreditRow[]): Markup | null {
  const [first] = rows;
  if (first === undefined) return null;
  const known = first.figures.flatMap((_, i) => (rows.some((row) => row.figures[i]?.text) ? [i] : []));
  const lines = rows.map(
    (row) =>
      html`<tr><th scope="row"><code>${row.id}</code></th><td>${row.who}</td>${known.map((i) => html`<td class="n">${row.figures[i]?.text ?? '–'}</td>`)}</tr>`,
  );
  const header = head('', 'of the lab', ...known.map((i) => `#${first.figures[i]?.name ?? ''}`));
  const note = html`<p class="muted note">Nodes and credits by CloudWatch, from the first trial to the last, in bins of a minute where nothing else is said. Network in and out have credits of their own and are never added. –: CloudWatch has none, because it does not apply or was not measured; that is not 0.</p>`;
  return html`<div class="card wraps">${table('Nodes and credits', header, lines)}${note}</div>`;
}

function allRows(model: ReportModel, view: KubernetesView): Markup | null {
  if (view.rows.length === 0) return null;
  const lines = view.rows.map((row) => {
    const [broker, ...numbers] = rowCells(view, row);
    const { trial } = row;
    const place = rawLink(model.files, `trials/${trial.id}/trial.json`, trialPlace(trial));
    return html`<tr class="${trial.verdict.valid ? 'valid' : 'void'}"><td>${place}</td><td>${broker}</td>${numbers.map((text) => html`<td class="n">${text}</td>`)}</tr>`;
  });
  return html`<details class="card"><summary>Every attempt × volume (${integer(view.rows.length)})</summary><p class="muted">As in <a href="./volumes.csv">volumes.csv</a>. A figure of CloudWatch is over whole bins only: look at the share of the window before the number. –: not known, never 0.</p><div class="wraps">${table('Volumes by attempt', head('attempt', ...ROW_HEADS), lines)}</div></details>`;
}
