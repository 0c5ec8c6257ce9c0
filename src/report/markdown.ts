import { kubernetesMarkdown } from './kubernetes/markdown.ts';
import { code, list, table, text } from './markdown-parts.ts';
import { type EffectView, type ReportModel, type ScenarioView, trialPlace } from './model.ts';
import { count, integer, mibPerS, moment, NOT_A_MEASUREMENT, percent } from './text.ts';

const MARKS: Readonly<Record<EffectView['mark'], string>> = { decided: '✓', open: '?', undecidable: '✗' };

/** The result as Markdown, to be pasted into an issue: answer, table, what is missing, limits, the plan's hash. */
export function markdownReport(model: ReportModel): string {
  const parts = [
    model.smoke
      ? `> **${NOT_A_MEASUREMENT.toUpperCase()}**: a rehearsal at a tiny scale. Its figures mean nothing.`
      : '',
    `## ${text(model.question)}`,
    trouble(model),
    expectations(model),
    `**${text(model.answer.text)}**`,
    model.capacities.map((c) => `- ${text(`${c.target}: ${c.sentence}`)}`).join('\n'),
    contrasts(model.effects),
    scenarios(model.scenarios),
    ...(model.kubernetes === null ? [] : kubernetesMarkdown(model.kubernetes)),
    list('Not quite as planned', [...model.deviations, ...model.notes]),
    list(`${count(model.voided.length, 'void attempt')}, in no estimate`, voided(model)),
    list('Flags (warnings that void nothing)', flags(model)),
    list('What this does not prove', model.limits),
    footer(model),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function trouble(model: ReportModel): string {
  const ended =
    model.outcome === 'completed' || model.outcome === 'completed-with-leaks'
      ? []
      : [
          `The experiment is ${model.outcome}${model.outcomeMessage === null ? '' : `: ${model.outcomeMessage}`}`,
        ];
  const all = [
    ...ended,
    ...model.leaks.map((leak) => `Teardown left behind: ${leak}`),
    ...model.contradictions.map((one) => `These results contradict themselves: ${one}`),
  ];
  return all.map((one) => `> ⚠ ${text(one)}`).join('\n>\n');
}

function expectations(model: ReportModel): string {
  return model.expectations
    .map((e) => `- ${e.sign} ${text(`${e.text}: ${e.outcome}, ${e.figure}`)}`)
    .join('\n');
}

function contrasts(effects: readonly EffectView[]): string {
  if (effects.length === 0) return '';
  const rows = effects.map((e) => [
    `${MARKS[e.mark]} ${e.word}`,
    `${text(e.numerator)} ÷ ${text(e.denominator)}`,
    e.ratioText ?? '–',
    e.intervalText ?? '–',
    `${e.higherIn} of ${e.n}`,
  ]);
  return table(['verdict', 'contrast', '#ratio', '#interval that decides', '#higher in blocks'], rows);
}

function scenarios(views: readonly ScenarioView[]): string {
  const rows = views.map((s) => [
    text(s.scenario),
    s.medianBytesPerS === null ? '–' : mibPerS(s.medianBytesPerS),
    s.medianRecordsPerS === null ? '–' : integer(s.medianRecordsPerS),
    s.minRecordsPerS === null || s.maxRecordsPerS === null
      ? '–'
      : `${integer(s.minRecordsPerS)} – ${integer(s.maxRecordsPerS)}`,
    s.cv === null ? '–' : percent(s.cv),
    integer(s.valid),
    integer(s.voided),
  ]);
  const header = ['scenario', '#median MiB/s', '#median records/s', '#min – max', '#CV', '#valid', '#void'];
  return table(header, rows);
}

function voided(model: ReportModel): string[] {
  return model.voided.map(({ trial, reasons, madeGood }) => {
    const why = reasons.map((r) => `${r.code}: ${r.message}`).join('; ');
    return `${trialPlace(trial)}: ${why}${madeGood ? ' (a later attempt is valid)' : ''}`;
  });
}

function flags(model: ReportModel): string[] {
  return model.flags.map((f) => {
    const where = f.where.length > 3 ? count(f.where.length, 'place') : f.where.join(', ');
    return `${f.code}: ${f.message}${where === '' ? '' : ` (${where})`}`;
  });
}

function footer({ counts, experiment, planSha256, smoke }: ReportModel): string {
  const about = [
    `${count(counts.valid, 'valid trial')} of ${counts.planned}`,
    ...(experiment === null ? [] : [moment(experiment.startedAt), `\`${code(experiment.key)}\``]),
    ...(smoke ? [NOT_A_MEASUREMENT] : []),
    `plan \`${planSha256}\``,
  ];
  return `Assay · ${about.join(' · ')}`;
}
