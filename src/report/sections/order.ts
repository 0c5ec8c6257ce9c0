import { html, type Markup, relativeHref } from '../markup.ts';
import { type ReportModel, trialPlace } from '../model.ts';
import type { OrderCell, OrderRow } from '../order.ts';
import { scenarioKey, scenarioSign } from './key.ts';
import { titled } from './section.ts';

/** In which order everything ran: a column for each block, from top to bottom; void attempts are crossed out. */
export function orderSection(model: ReportModel): Markup | null {
  const rows = model.order;
  if (rows.length === 0) return null;
  const deepest = Math.max(...rows.map((r) => r.cells.length));
  const lines = Array.from({ length: deepest }, (_, i) => {
    return html`<tr><th scope="row">${i + 1}</th>${rows.map((row) => cell(model, row.cells[i] ?? null))}</tr>`;
  });
  const strip = html`<div class="scroll"><table class="strip"><caption class="hidden">Order of the trials: a column for each block, a row for each position</caption><thead><tr><th scope="col"><span class="hidden">position</span></th>${rows.map((row) => heading(row))}</tr></thead><tbody>${lines}</tbody></table></div>`;
  const missing = rows.some((r) => r.cells.some((c) => c.state === 'missing'))
    ? ' A hollow place was planned and not run.'
    : '';
  const caption = html`<p class="muted note">Each block runs every scenario once, in an order drawn from the plan's seed. Warm-up passes (w) enter no estimate. A crossed sign is a void attempt; where its reason allows it, a new one runs at the end of the block.${missing} Each sign leads to the record of its trial.</p>`;
  return titled(
    'order',
    'Order of the trials',
    html`<div class="card">${scenarioKey(model)}${strip}${caption}</div>`,
  );
}

function heading({ block, pass }: OrderRow): Markup {
  const name = pass === null ? `block ${block}` : `warm-up pass ${pass}`;
  return html`<th scope="col" class="${pass === null ? 'measured' : 'warm'}" title="${name}">${pass === null ? block : `w${pass}`}</th>`;
}

function cell(model: ReportModel, shown: OrderCell | null): Markup {
  if (shown === null) return html`<td></td>`;
  const { scenario, index, state, trial } = shown;
  const words = trial === null ? `${scenario}: not run` : `${trialPlace(trial)}: ${verdict(trial.verdict)}`;
  const sign = html`<span class="hidden">${words}</span>${index < 0 ? '?' : scenarioSign(index)}`;
  const path = trial === null ? null : `trials/${trial.id}/trial.json`;
  const body =
    path !== null && model.files.includes(path)
      ? html`<a href="${relativeHref(path)}">${sign}</a>`
      : html`${sign}`;
  return html`<td class="${state}" title="${words}">${body}</td>`;
}

function verdict({ valid, reasons }: { valid: boolean; reasons: readonly { code: string }[] }): string {
  return valid ? 'valid' : `void, ${reasons.map((r) => r.code).join(', ')}`;
}
