import { blockName } from '../../design/names.ts';
import type { SettleOutcome, TrialRecord } from '../../measure/trial-record.ts';
import { html, type Markup, relativeHref } from '../markup.ts';
import type { ReportModel } from '../model.ts';
import { duration, integer, mibPerS, number, shellCommand } from '../text.ts';
import { scenarioName } from './key.ts';
import { head, table, titled } from './section.ts';

/** What a reader needs to judge the lab and to repeat the experiment. */
export function environmentSection(model: ReportModel): Markup {
  const groups = model.facts.map(
    (group) =>
      html`<div class="card facts"><h3>${group.title}</h3><dl>${group.facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></div>`,
  );
  return titled('environment', 'Environment', html`<div class="groups">${groups}</div>`);
}

/** Every attempt, commands and raw files: folded away, there for whoever doubts. */
export function rawSection(model: ReportModel): Markup {
  return titled('raw', 'Behind the numbers', html`${allTrials(model)}${commands(model)}${files(model)}`);
}

function allTrials(model: ReportModel): Markup {
  const numbers = ['#MiB/s', '#records/s', '#window', '#p99 ms', '#client cores'];
  const header = head('block', '#ran as', 'scenario', 'verdict', ...numbers, 'settle', 'drain', 'files');
  const rows = model.trials.map((t) => trialRow(model, t));
  return html`<details class="card"><summary>All ${integer(model.trials.length)} attempts, block 0 included</summary><p class="muted">Each figure leads to the raw file that it comes from.</p>${table('All attempts', header, rows)}</details>`;
}

function trialRow(model: ReportModel, t: TrialRecord): Markup {
  const [only, ...more] = t.loads;
  const p99 = only && more.length === 0 && only.latencyMs ? number(only.latencyMs.p99) : '–';
  const cores = t.loads.map((l) => (l.cpuCores === null ? '–' : l.cpuCores.toFixed(2))).join(' + ');
  const from = (file: string, shown: string): Markup | string =>
    rawLink(model.files, `trials/${t.id}/${file}`, shown);
  const out = (shown: string): Markup | string => from(`${only?.name ?? ''}.stdout`, shown);
  const sampled = (shown: string): Markup | string => from('sampler.jsonl', shown);
  const verdict = t.verdict.valid ? 'valid' : t.verdict.reasons.map((r) => r.code).join(', ');
  return html`<tr class="${t.verdict.valid ? 'valid' : 'void'}"><td>${blockName(t.block, t.pass)}</td><td class="n">${t.position}</td><td>${scenarioName(model, t.scenario)}${t.attempt > 1 ? ` (attempt ${t.attempt})` : null}</td><td>${verdict}</td><td class="n">${out(t.rate ? mibPerS(t.rate.bytesPerS) : '–')}</td><td class="n">${out(t.rate ? integer(t.rate.recordsPerS) : '–')}</td><td class="n">${out(t.rate ? duration(t.rate.windowMs) : '–')}</td><td class="n">${out(p99)}</td><td class="n">${sampled(cores)}</td><td>${sampled(settled(t.settle))}</td><td>${sampled(settled(t.drain))}</td><td>${from('trial.json', 'trial.json')}</td></tr>`;
}

function settled(outcome: SettleOutcome | null): string {
  return outcome ? `${outcome.outcome.toLowerCase()}, ${duration(outcome.tookMs)}` : '–';
}

/** A figure that leads to the file it comes from; without that file, or without a figure, the text alone. */
export function rawLink(files: readonly string[], path: string, shown: string): Markup | string {
  return shown !== '–' && files.includes(path) ? html`<a href="${relativeHref(path)}">${shown}</a>` : shown;
}

function commands(model: ReportModel): Markup | null {
  if (model.commands.length === 0) return null;
  const blocks = model.commands.map(
    (c) =>
      html`<h3>${scenarioName(model, c.scenario)} <span class="muted">load ${c.load}, as run in ${rawLink(model.files, `trials/${c.trialId}/trial.json`, c.trialId)}</span></h3><pre><code>${shellCommand(c.argv)}</code></pre>`,
  );
  return html`<details class="card"><summary>The exact commands</summary><p class="muted">Other attempts differ in the topic's name only; each stands in its trial.json.</p>${blocks}</details>`;
}

const RENDERED_NAMES: readonly string[] = ['report.html', 'manifest.json', 'manifest.sha256'];

function files(model: ReportModel): Markup {
  const ofPods = (model.kubernetes?.volumes ?? []).length > 0 ? ['volumes.csv'] : [];
  const rendered = ['report.md', 'trials.csv', 'samples.csv', 'summary.json', ...ofPods];
  const shown = [...new Set([...model.files, ...rendered])].filter((f) => !RENDERED_NAMES.includes(f)).sort();
  const list = shown.map((f) => html`<li><a href="${relativeHref(f)}">${f}</a></li>`);
  return html`<details class="card"><summary>All files of this experiment, beside this page</summary><p class="muted"><code>assay verify</code> compares every one of them with <a href="./manifest.json">manifest.json</a>; <code>assay report</code> renders this page anew from them.</p><ul class="files">${list}</ul></details>`;
}
