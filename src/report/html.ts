import { byBlock } from './charts/by-block.ts';
import { dirtyMemory } from './charts/memory.ts';
import { overTime } from './charts/over-time.ts';
import { html, type Markup, trusted } from './markup.ts';
import type { ReportModel } from './model.ts';
import { answerSection } from './sections/answer.ts';
import { costSection } from './sections/cost.ts';
import { environmentSection, rawSection } from './sections/details.ts';
import { capacitySection, expectationsSection, metricsSection } from './sections/expectations.ts';
import { scenarioKey } from './sections/key.ts';
import { nodesSection } from './sections/nodes.ts';
import { deviationsSection, noticesSection, smokeSection } from './sections/notices.ts';
import { orderSection } from './sections/order.ts';
import { resourcesSection } from './sections/resources.ts';
import { chartSection, type Section } from './sections/section.ts';
import { contrastsSection, scenariosSection, voidedSection } from './sections/verdicts.ts';
import { volumesSection } from './sections/volumes.ts';
import { STYLE } from './style.ts';
import { count, moment, NOT_A_MEASUREMENT } from './text.ts';

/** The report in the order it is read. A new chart joins by one line here. */
const SECTIONS: readonly Section[] = [
  smokeSection,
  noticesSection,
  deviationsSection,
  expectationsSection,
  answerSection,
  capacitySection,
  scenariosSection,
  chartSection(byBlock, scenarioKey),
  chartSection(overTime, () => null),
  contrastsSection,
  metricsSection,
  voidedSection,
  orderSection,
  resourcesSection,
  volumesSection,
  chartSection(dirtyMemory, () => null),
  nodesSection,
  costSection,
  environmentSection,
  rawSection,
];

/**
 * One HTML file that needs nothing else: no script, no request (its own policy forbids both), light and dark,
 * fit for print. Every text from the results is escaped.
 */
export function htmlReport(model: ReportModel): string {
  const page = html`${trusted('<!doctype html>')}
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark"><meta name="generator" content="Assay"><title>${model.smoke ? `${NOT_A_MEASUREMENT}: ` : null}${model.question}</title>
<style>${trusted(STYLE)}</style></head>
<body><main>${header(model)}${SECTIONS.map((section) => section(model))}${footer(model)}</main></body></html>
`;
  return page.text;
}

function header(model: ReportModel): Markup {
  const { counts, experiment } = model;
  const about = [
    model.name,
    experiment ? moment(experiment.startedAt) : null,
    `${count(counts.valid, 'valid trial')} of ${counts.planned} in ${count(model.blocksPlanned, 'block')}`,
    counts.voided > 0 ? count(counts.voided, 'void attempt') : null,
  ].filter((part) => part !== null);
  return html`<header><p class="about">${about.map((part, i) => html`${i > 0 ? ' · ' : null}<bdi>${part}</bdi>`)}<span class="outcome ${model.outcome}">${model.outcome.replaceAll('-', ' ')}</span></p><h1>${model.question}</h1></header>`;
}

function footer(model: ReportModel): Markup {
  return html`<footer><p>Assay${model.smoke ? ` · ${NOT_A_MEASUREMENT}` : null} · plan <code>${model.planSha256}</code></p></footer>`;
}
