import { lookOf } from '../charts/chart.ts';
import { KEYS } from '../charts/over-time.ts';
import { html, type Markup } from '../markup.ts';
import type { ReportModel } from '../model.ts';

/** The coloured sign of a scenario. */
export function scenarioSign(index: number): Markup {
  const look = lookOf(index);
  return html`<i class="key" aria-hidden="true" style="color:${look.color}">${KEYS[look.symbol]}</i>`;
}

/** Sign and name of a scenario; a name that is not in the plan gets no sign. */
export function scenarioName(model: ReportModel, slug: string): Markup {
  const known = model.scenarios.find((s) => s.scenario === slug);
  return html`<span class="scenario">${known ? scenarioSign(known.index) : null} <bdi>${slug}</bdi></span>`;
}

/** Which sign is which scenario, above a chart. */
export function scenarioKey(model: ReportModel): Markup {
  return html`<p class="keys">${model.scenarios.map((s) => scenarioName(model, s.scenario))}</p>`;
}
