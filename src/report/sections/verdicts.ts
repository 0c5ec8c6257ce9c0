import { pText } from '../../analysis/format.ts';
import { blockName } from '../../design/names.ts';
import { html, type Markup } from '../markup.ts';
import { type ReportModel, trialPlace } from '../model.ts';
import { integer, mibPerS, percent } from '../text.ts';
import { MARKS } from './answer.ts';
import { rawLink } from './details.ts';
import { scenarioName } from './key.ts';
import { head, table, titled } from './section.ts';

/** Each contrast with its numbers; the simultaneous interval decides, the others stand beside it. */
export function contrastsSection(model: ReportModel): Markup | null {
  if (model.effects.length === 0) return null;
  const analysed = (text: string | null): Markup | string =>
    rawLink(model.files, 'analysis.json', text ?? '–');
  const rows = model.effects.map(
    (e) =>
      html`<tr><td><span class="badge ${e.mark}">${MARKS[e.mark]} ${e.word}</span></td><td class="pair-cell">${scenarioName(model, e.numerator)} ÷ ${scenarioName(model, e.denominator)}${e.primary ? null : html` <span class="muted">secondary</span>`}</td><td class="n">${analysed(e.ratioText)}</td><td class="n">${analysed(e.intervalText)}</td><td class="n">${e.signedRank ? html`${e.signedRank.low.toFixed(2)} to ${e.signedRank.high.toFixed(2)}` : '–'}</td><td class="n">${e.signFlipP === null ? '–' : pText(e.signFlipP)}</td><td class="n">${e.holmP === null ? '–' : pText(e.holmP)}</td><td class="n">${e.higherIn} of ${e.n}</td><td class="why">${e.because}</td></tr>`,
  );
  const header = head(
    'verdict',
    'contrast',
    '#ratio',
    '#interval that decides',
    '#signed-rank interval',
    '#sign-flip p',
    '#Holm p',
    '#higher in',
    'because',
  );
  return titled(
    'contrasts',
    'Contrasts',
    html`<div class="card wraps">${table('Contrasts and their verdicts', header, rows)}</div>`,
  );
}

/** Rates per scenario over its valid trials. */
export function scenariosSection(model: ReportModel): Markup {
  const rows = model.scenarios.map((s) => {
    const bytes = s.medianBytesPerS === null ? '–' : mibPerS(s.medianBytesPerS);
    const records = s.medianRecordsPerS === null ? '–' : integer(s.medianRecordsPerS);
    const range =
      s.minRecordsPerS === null || s.maxRecordsPerS === null
        ? '–'
        : `${integer(s.minRecordsPerS)} – ${integer(s.maxRecordsPerS)}`;
    const why = Object.entries(s.reasons)
      .map(([code, n]) => `${n} × ${code}`)
      .join(', ');
    return html`<tr><th scope="row">${scenarioName(model, s.scenario)}</th><td class="n strong">${bytes}</td><td class="n">${records}</td><td class="n">${range}</td><td class="n">${s.cv === null ? '–' : percent(s.cv)}</td><td class="n">${s.valid}</td><td class="n">${s.voided}</td><td>${s.leftOut ? `not measured: ${s.leftOut}` : why || '–'}</td><td class="raw">${trialsOf(model, s.scenario)}</td></tr>`;
  });
  const header = head(
    'scenario',
    '#median MiB/s',
    '#median records/s',
    '#min – max records/s',
    '#spread (CV)',
    '#valid',
    '#void',
    'why void',
    'its trials',
  );
  return titled(
    'scenarios',
    'Scenarios',
    html`<div class="card">${table('Rates by scenario', header, rows)}</div>`,
  );
}

/** What a scenario's figures come from: each attempt's record, by block; it names the command and the raw files. */
function trialsOf(model: ReportModel, scenario: string): readonly Markup[] {
  return model.trials
    .filter((t) => t.block > 0 && t.scenario === scenario)
    .map((t) => {
      const name = `${blockName(t.block, t.pass)}${t.attempt > 1 ? `/a${t.attempt}` : ''}`;
      const link = rawLink(model.files, `trials/${t.id}/trial.json`, name);
      return html`<span class="${t.verdict.valid ? 'valid' : 'void'}">${link}</span> `;
    });
}

/** Void attempts with their reasons, and flags. Nothing is dropped. */
export function voidedSection(model: ReportModel): Markup {
  return html`${titled('voided', 'Void attempts', html`<div class="card">${voided(model)}</div>`)}${flags(model)}`;
}

function voided(model: ReportModel): Markup {
  if (model.voided.length === 0) return html`<p>None: every attempt was valid.</p>`;
  const rows = model.voided.map(
    (v) =>
      html`<tr><td>${trialPlace(v.trial)}</td><td>${v.reasons.map((r) => html`<p><code>${r.code}</code> ${r.says}: ${r.message}</p>`)}</td><td>${v.madeGood ? 'a later attempt is valid' : 'no valid attempt'}</td></tr>`,
  );
  return table('Void attempts and their reasons', head('trial', 'why', 'then'), rows);
}

function flags(model: ReportModel): Markup | null {
  if (model.flags.length === 0) return null;
  const rows = model.flags.map(
    (f) =>
      html`<tr><td><code>${f.code}</code></td><td>${f.message}</td><td>${f.where.join(', ') || 'the experiment'}</td></tr>`,
  );
  const body = html`<div class="card"><p class="muted">A flag is a warning: it voids nothing.</p>${table('Flags', head('flag', 'what was seen', 'where'), rows)}</div>`;
  return titled('flags', 'Flags', body);
}
