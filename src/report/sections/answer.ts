import { ratioAxis } from '../charts/ratio-axis.ts';
import { html, type Markup } from '../markup.ts';
import type { EffectView, ReportModel } from '../model.ts';
import { percent } from '../text.ts';
import { scenarioName } from './key.ts';

/** The answer, large, with its interval drawn, and what it does not prove. */
export function answerSection(model: ReportModel): Markup {
  const drawn = ratioAxis.draw(model);
  const axis = drawn && html`<figure>${drawn.body}<figcaption>${drawn.caption}</figcaption></figure>`;
  return html`<section id="answer" class="card answer ${model.answer.effect?.mark ?? (model.answer.exists ? 'many' : 'none')}" aria-label="The answer">
<div class="answer-top">${model.answer.effect ? hero(model, model.answer.effect) : null}<div class="answer-text"><p class="sentence ${model.answer.text.length > 170 && 'long'}">${unbroken(model.answer.text)}</p>${because(model)}</div></div>
${axis}${changes(model)}${limits(model)}</section>`;
}

function hero(model: ReportModel, effect: EffectView): Markup {
  return html`<div class="hero">${heroNumber(effect)}<p class="word"><span class="badge ${effect.mark}">${MARKS[effect.mark]} ${effect.word}</span></p>
<p class="pair">${scenarioName(model, effect.numerator)} <span class="muted">÷</span> ${scenarioName(model, effect.denominator)}</p></div>`;
}

/** A ratio that decides nothing is not shown large: at a glance it would be taken for the answer. */
function heroNumber(effect: EffectView): Markup | null {
  if (effect.ratioText === null) return null;
  const size = effect.mark === 'decided' ? 'big' : 'small';
  const confidence = percent((effect.simultaneous ?? effect.interval)?.confidence ?? 0.95);
  const interval = effect.intervalText
    ? html`${unbroken(confidence)} interval <b>${effect.intervalText}</b>`
    : 'no interval';
  return html`<p class="${size}">${effect.ratioText}<span>×</span></p><p class="interval">${interval}</p>`;
}

/** Told apart without colour too. */
export const MARKS: Readonly<Record<EffectView['mark'], string>> = {
  decided: '✓',
  open: '?',
  undecidable: '✗',
};

/** The reason for the word, unless the answer gives it already. */
function because(model: ReportModel): Markup | null {
  const { effect, text } = model.answer;
  if (!effect || text.includes(effect.because)) return null;
  return html`<p class="because">${unbroken(sentence(effect.because))}</p>`;
}

/** Keeps a number and its percent sign on one line. */
function unbroken(text: string): string {
  return text.replace(/(\d) %/g, '$1\u00a0%');
}

function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

/** What differs between the two scenarios, every implied setting included. */
function changes(model: ReportModel): Markup | null {
  const { effect } = model.answer;
  const settings = Object.entries(effect?.changes ?? {});
  if (!effect || settings.length === 0) return null;
  const list = settings.map(([path, [from, to]]) => html`<li><code>${path}</code> ${from} → ${to}</li>`);
  const warning = effect.confounded
    ? html`<p class="warning">More than one setting changed: the difference cannot be put down to one of them.</p>`
    : null;
  return html`<div class="changes"><h3>What differs</h3><ul>${list}</ul>${warning}</div>`;
}

function limits(model: ReportModel): Markup | null {
  if (model.limits.length === 0) return null;
  return html`<div class="limits"><h3>What this does not prove</h3><ul>${model.limits.map((limit) => html`<li>${unbroken(limit)}</li>`)}</ul></div>`;
}
