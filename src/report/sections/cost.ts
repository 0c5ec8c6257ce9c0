import { html, type Markup } from '../markup.ts';
import type { ReportModel } from '../model.ts';
import { titled } from './section.ts';

/** What a lab in pods was estimated to cost, what is attributed to it, what no sum holds and what stays. */
export function costSection({ kubernetes }: ReportModel): Markup | null {
  if (kubernetes === null) return null;
  const { lines } = kubernetes.cost;
  const body = html`<div class="card"><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul><p class="muted note">An attribution by recorded times, not a bill.</p></div>`;
  return titled('cost', 'Cost', body);
}
