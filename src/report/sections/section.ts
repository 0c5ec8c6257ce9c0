import type { Chart } from '../charts/chart.ts';
import { html, type Markup } from '../markup.ts';
import type { ReportModel } from '../model.ts';

/** A part of the HTML report; it shows nothing (null) when the model has nothing for it. */
export type Section = (model: ReportModel) => Markup | null;

/** A titled part with an anchor. */
export function titled(id: string, title: string, body: Markup): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h">${title}</h2>${body}</section>`;
}

/** A chart as a section of its own, with a key of the scenarios. */
export function chartSection(chart: Chart, key: (model: ReportModel) => Markup | null): Section {
  return (model) => {
    const drawn = chart.draw(model);
    if (!drawn) return null;
    const figure = html`<figure class="card">${key(model)}${drawn.body}<figcaption>${drawn.caption}</figcaption></figure>`;
    return titled(chart.id, chart.title, figure);
  };
}

/** A table that may be wider than a small screen. */
export function table(caption: string, header: readonly Markup[], rows: readonly Markup[]): Markup {
  return html`<div class="scroll"><table><caption class="hidden">${caption}</caption><thead><tr>${header}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Headings of a table; a name that begins with # heads numbers and stands to the right as they do. */
export function head(...names: readonly string[]): readonly Markup[] {
  return names.map((name) =>
    name.startsWith('#')
      ? html`<th scope="col" class="n">${name.slice(1)}</th>`
      : html`<th scope="col">${name}</th>`,
  );
}
