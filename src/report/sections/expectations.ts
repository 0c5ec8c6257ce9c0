import { metricText } from '../expectations.ts';
import { html, type Markup } from '../markup.ts';
import type { ReportModel } from '../model.ts';
import { integer, percent } from '../text.ts';
import { scenarioName } from './key.ts';
import { head, table, titled } from './section.ts';

/** What the spec expected and what came out, before the answer. */
export function expectationsSection(model: ReportModel): Markup | null {
  if (model.expectations.length === 0) return null;
  const items = model.expectations.map(
    (e) =>
      html`<li class="${e.outcome}"><p><b class="sign">${e.sign}</b> <b>${e.text}</b> <span class="muted">${e.outcome}: ${e.figure}</span></p><p class="muted">${e.because}</p></li>`,
  );
  return html`<section id="expectations" class="card" aria-label="Expectations"><ul class="expectations">${items}</ul></section>`;
}

/** What a search for capacity came to: the sentence, then the rates around the candidate. */
export function capacitySection(model: ReportModel): Markup | null {
  if (model.capacities.length === 0) return null;
  const parts = model.capacities.map((c) => {
    const rows = c.rows.map(
      (row) =>
        html`<tr><td class="n">${row.rate}</td><td class="n">${row.passed}</td><td class="n">${row.probability}</td></tr>`,
    );
    const header = head('#asked records/s', '#passed', '#estimated pass probability');
    const note = c.bracketed
      ? null
      : html`<p class="muted note">No rate of the grid both passes and has one above it that does not: the capacity lies beyond the grid.</p>`;
    return html`<div class="card"><h3>${scenarioName(model, c.target)}</h3><p class="sentence long">${c.sentence}</p>${table(`Rates around the candidate, ${c.target}`, header, rows)}${note}</div>`;
  });
  return titled('capacity', 'Capacity', html`${parts}`);
}

/** Every metric of every scenario; only the primary one gets a verdict. */
export function metricsSection(model: ReportModel): Markup | null {
  const rows = model.scenarios.flatMap((s) =>
    (s.metrics ?? []).map(
      (m) =>
        html`<tr><th scope="row">${scenarioName(model, s.scenario)}</th><td>${m.metric}${m.metric === model.metric ? html` <span class="muted">primary</span>` : null}</td><td class="n">${metricText(m.unit, m.median)}</td><td class="n">${metricText(m.unit, m.min)} – ${metricText(m.unit, m.max)}</td><td class="n">${m.cv === null ? '–' : percent(m.cv)}</td><td class="n">${integer(m.n)}</td><td>${m.over.join(', ')}</td></tr>`,
    ),
  );
  if (rows.length === 0) return null;
  const header = head('scenario', 'metric', '#median', '#min – max', '#spread (CV)', '#n', 'over');
  const note = html`<p class="muted note">One value for each block with a valid trial. Only the primary metric is compared and gets a verdict; several loads are never averaged.</p>`;
  return titled(
    'metrics',
    'Metrics',
    html`<div class="card">${table('Metrics by scenario', header, rows)}${note}</div>`,
  );
}
