import { html, type Markup } from '../markup.ts';
import type { ReportModel } from '../model.ts';

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
  for (const text of model.notes) notices.push(html`${text}`);
  if (notices.length === 0) return null;
  return html`<div class="notices" role="note">${notices.map((n) => html`<p>${n}</p>`)}</div>`;
}
