import { html, type Markup } from '../markup.ts';
import type { ReportModel } from '../model.ts';
import { NOT_A_MEASUREMENT } from '../text.ts';

/** What went wrong with the experiment as a whole, before anything else is read. */
export function noticesSection(model: ReportModel): Markup | null {
  const notices: Markup[] = [];
  if (model.outcome === 'aborted' || model.outcome === 'failed') {
    notices.push(
      html`<b>The experiment ${model.outcome === 'aborted' ? 'was aborted' : 'failed'}.</b> ${model.outcomeMessage}`,
    );
  }
  if (model.outcome === 'unfinished') {
    notices.push(
      html`<b>The experiment has not ended</b>, or its end could not be stored. This shows what is there.`,
    );
  }
  if (model.leaks.length > 0) {
    notices.push(html`<b>Teardown left something behind.</b> Remove it by hand: ${model.leaks.join('; ')}`);
  }
  for (const text of model.contradictions)
    notices.push(html`<b>These results contradict themselves:</b> ${text}.`);
  if (notices.length === 0) return null;
  return html`<div class="notices" role="note">${notices.map((n) => html`<p>${n}</p>`)}</div>`;
}

/** What was not as planned, in the open: it may colour every number below. */
export function deviationsSection(model: ReportModel): Markup | null {
  const texts = [...model.deviations, ...model.notes];
  if (texts.length === 0) return null;
  const list = texts.map((text) => html`<li>${text}</li>`);
  return html`<div class="notices open" role="note"><p><b>Not quite as planned</b></p><ul>${list}</ul></div>`;
}

/** A rehearsal says so before anything else. */
export function smokeSection(model: ReportModel): Markup | null {
  if (!model.smoke) return null;
  return html`<div class="notices smoke" role="note"><p><b>${NOT_A_MEASUREMENT.toUpperCase()}.</b> This was a rehearsal at a tiny scale (--smoke): it shows that the spec runs. Its figures mean nothing.</p></div>`;
}
