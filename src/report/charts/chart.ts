import type { Markup } from '../markup.ts';
import type { ReportModel } from '../model.ts';

/** A chart that joins the report: add it to the list of a section. It says in words what it shows. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  /** How to read it; null when the model holds nothing to draw. */
  draw(model: ReportModel): { readonly caption: Markup; readonly body: Markup } | null;
}

/** Colour and symbol of a scenario, told apart without colour too; after eight they repeat. */
export interface Look {
  readonly color: string;
  readonly symbol: string;
}

const SYMBOLS = ['circle', 'diamond', 'triangle', 'rect', 'circle', 'diamond', 'triangle', 'rect'];

/** Look of the scenario at a position of the plan. Colours are CSS variables, so that dark mode changes them. */
export function lookOf(index: number): Look {
  const i = index % SYMBOLS.length;
  return { color: `var(--s${i + 1})`, symbol: SYMBOLS[i] ?? 'circle' };
}
