import { kubernetesLines } from './kubernetes/terminal.ts';
import { columns, type Column, painter, type Painter, type Tone, wrap } from './layout.ts';
import { type EffectView, type ReportModel, trialPlace } from './model.ts';
import { axisLine } from './terminal-axis.ts';
import { count, integer, mibPerS, NOT_A_MEASUREMENT, percent, plainText } from './text.ts';

export interface TerminalOptions {
  /** Columns of the terminal; lines are never longer. */
  readonly width: number;
  /** ANSI colours. The caller knows about NO_COLOR and whether this is a terminal. */
  readonly color: boolean;
  /** Folder of the results, as it should be shown. */
  readonly folder: string;
}

interface Page {
  readonly model: ReportModel;
  readonly columns: number;
  readonly paint: Painter;
}

const MARK: Readonly<Record<EffectView['mark'], { sign: string; tone: Tone }>> = {
  decided: { sign: '✓', tone: 'good' },
  open: { sign: '?', tone: 'open' },
  undecidable: { sign: '✗', tone: 'bad' },
};

/** The result for a terminal: the answer first, then what it rests on. Names are cleaned of control characters. */
export function terminalSummary(model: ReportModel, options: TerminalOptions): string {
  const page: Page = { model, columns: Math.max(40, options.width), paint: painter(options.color) };
  const parts = [
    smoke(page),
    title(page),
    trouble(page),
    deviations(page),
    expectations(page),
    answer(page),
    capacities(page),
    contrasts(page),
    scenarios(page),
    order(page),
    resources(page),
    model.kubernetes === null ? [] : kubernetesLines(model.kubernetes, page.columns, page.paint),
    voided(page),
    flags(page),
    limits(page),
    files(page, options.folder),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function title({ model, columns: c, paint }: Page): string[] {
  return wrap(plainText(model.question), c).map((line) => paint('strong', line));
}

function trouble({ model, columns: c, paint }: Page): string[] {
  const message = model.outcomeMessage === null ? '' : `: ${model.outcomeMessage}`;
  const texts = [
    ...(model.outcome === 'completed' || model.outcome === 'completed-with-leaks'
      ? []
      : [`The experiment is ${model.outcome}${message}`]),
    ...model.leaks.map((leak) => `Teardown left behind: ${leak}`),
    ...model.contradictions.map((text) => `These results contradict themselves: ${text}`),
  ];
  return texts.flatMap((text) => bullet(text, '!', c)).map((line) => paint('bad', line));
}

function smoke({ model, columns: c, paint }: Page): string[] {
  if (!model.smoke) return [];
  const text = `${NOT_A_MEASUREMENT.toUpperCase()}: a rehearsal at a tiny scale. Its figures mean nothing.`;
  return wrap(text, c).map((line) => paint('bad', line));
}

/** What was not as planned stands before the answer: it may colour every number. */
function deviations({ model, columns: c, paint }: Page): string[] {
  const texts = [...model.deviations, ...model.notes];
  return texts.flatMap((text) => bullet(text, '!', c)).map((line) => paint('open', line));
}

/** ✓ and ✗ of what the spec expected come before the answer. */
function expectations({ model, columns: c, paint }: Page): string[] {
  const tones: Readonly<Record<string, Tone>> = { '✓': 'good', '✗': 'bad', '?': 'open' };
  return model.expectations.flatMap((e) => {
    const text = `${e.text} · ${e.outcome}: ${e.figure}${e.outcome === 'passed' ? '' : `; ${e.because}`}`;
    return bullet(text, e.sign, c).map((line) => paint(tones[e.sign] ?? 'open', line));
  });
}

function capacities({ model, columns: c, paint }: Page): string[] {
  return model.capacities.flatMap((one) => [
    ...wrap(plainText(`${one.target}: ${one.sentence}`), c).map((line) => paint('strong', line)),
    ...one.rows.flatMap((row) => bullet(`${row.rate} records/s: passed in ${row.passed} blocks`, '·', c)),
  ]);
}

function answer({ model, columns: c, paint }: Page): string[] {
  return wrap(plainText(model.answer.text), c).map((line) => paint('strong', line));
}

function contrasts({ model, columns: c, paint }: Page): string[] {
  return model.effects.flatMap((e) => {
    const { sign, tone } = MARK[e.mark];
    const pair = plainText(`${e.numerator} ÷ ${e.denominator}`);
    const numbers =
      e.ratioText === null
        ? ''
        : `: ${e.ratioText} (${e.intervalText ?? 'no interval'}), higher in ${e.higherIn} of ${e.n} blocks`;
    const lines = wrap(`${sign} ${e.word}: ${pair}${numbers}`.replace(': ', ' · '), c, '  ');
    const axis = axisLine(e, model.margin, Math.min(c - 2, 76));
    return [...lines.map((line) => paint(tone, line)), ...(axis === null ? [] : [`  ${axis}`])];
  });
}

const SCENARIO_COLUMNS: readonly Column[] = [
  { name: 'scenario', align: 'left' },
  { name: 'median MiB/s', align: 'right' },
  { name: 'records/s', align: 'right' },
  { name: 'min – max', align: 'right' },
  { name: 'valid', align: 'right' },
  { name: 'void', align: 'right' },
  { name: 'CV', align: 'right' },
];

function scenarios({ model, columns: c, paint }: Page): string[] {
  const rows = model.scenarios.map((s) => [
    plainText(s.scenario),
    s.medianBytesPerS === null ? '–' : mibPerS(s.medianBytesPerS),
    s.medianRecordsPerS === null ? '–' : integer(s.medianRecordsPerS),
    s.minRecordsPerS === null || s.maxRecordsPerS === null
      ? '–'
      : `${integer(s.minRecordsPerS)} – ${integer(s.maxRecordsPerS)}`,
    integer(s.valid),
    integer(s.voided),
    s.cv === null ? '–' : percent(s.cv),
  ]);
  const table = columns(SCENARIO_COLUMNS, rows, c);
  const where =
    'each from trials/b<block>/<scenario>/a<attempt>/trial.json: its command, and raw files beside it';
  return [paint('muted', table.head), ...table.rows, ...wrap(where, c).map((line) => paint('muted', line))];
}

/** Blocks × positions in one or two lines: `1 BA  2 AB`. */
function order({ model, columns: c, paint }: Page): string[] {
  const measured = model.order.filter((row) => row.pass === null);
  if (measured.length === 0) return [];
  const legend = model.scenarios.map((s) => `${letter(s.index)} ${plainText(s.scenario)}`).join('   ');
  const blocks = measured.map((row) => `${row.block}:${row.cells.map(orderCell).join('')}`);
  return [
    ...wrap(`order of the trials by block: ${legend}   × void   · not run`, c, '  ').map((line) =>
      paint('muted', line),
    ),
    ...wrap(blocks.join('  ').replaceAll('  ', ' '), c),
  ];
}

function orderCell({ index, state }: ReportModel['order'][number]['cells'][number]): string {
  return `${letter(index)}${state === 'void' ? '×' : state === 'missing' ? '·' : ''}`;
}

/** A, B, … Z, a … z; `?` for what is not in the plan or beyond. */
function letter(index: number): string {
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[index] ?? '?';
}

/** Few of the figures of the HTML report: those that say what limited the rate. */
const RESOURCE_FIGURES = [
  'brokers, cores',
  'clients, cores',
  'waiting for CPU (PSI)',
  'device writes, MiB/s',
  'device busy',
];

function resources({ model, columns: c, paint }: Page): string[] {
  if (model.resources.length === 0) return [];
  const shape: Column[] = ['scenario', ...RESOURCE_FIGURES, 'n'].map((name) => {
    return { name: name.replace(' (PSI)', ''), align: name === 'scenario' ? 'left' : 'right' };
  });
  const rows = model.resources.map((row) => {
    const figures = RESOURCE_FIGURES.map(
      (name) => row.figures.find((f) => f.name === name)?.text ?? 'unknown',
    );
    return [plainText(row.scenario), ...figures, integer(row.n)];
  });
  const table = columns(shape, rows, c);
  return [paint('muted', table.head), ...table.rows];
}

function voided({ model, columns: c, paint }: Page): string[] {
  if (model.voided.length === 0) return [];
  const lines = model.voided.flatMap((v) => {
    const why = v.reasons.map((r) => `${r.code}: ${r.message}`).join('; ');
    return bullet(
      `${trialPlace(v.trial)} · ${why}${v.madeGood ? ' (a later attempt is valid)' : ''}`,
      '✗',
      c,
    );
  });
  return [paint('muted', `${count(model.voided.length, 'void attempt')}, in no estimate`), ...lines];
}

function flags({ model, columns: c, paint }: Page): string[] {
  if (model.flags.length === 0) return [];
  const lines = model.flags.flatMap((f) => {
    const where = f.where.length > 3 ? count(f.where.length, 'place') : f.where.join(', ');
    return bullet(`${f.code}: ${f.message}${where === '' ? '' : ` (${where})`}`, '⚑', c);
  });
  return [paint('muted', 'flags: warnings that void nothing'), ...lines];
}

function limits({ model, columns: c, paint }: Page): string[] {
  if (model.limits.length === 0) return [];
  return [
    paint('muted', 'what this does not prove'),
    ...model.limits.flatMap((text) => bullet(text, '–', c)),
  ];
}

function files({ model, columns: c, paint }: Page, folder: string): string[] {
  const { counts } = model;
  const trials = `${count(counts.valid, 'valid trial')} of ${counts.planned}, ${count(counts.warmup, 'warm-up trial')}`;
  return [
    ...wrap(`${trials}, plan ${model.planSha256.slice(0, 12)}`, c).map((line) => paint('muted', line)),
    ...(model.smoke ? [paint('bad', NOT_A_MEASUREMENT)] : []),
    `${paint('muted', 'report  ')}${plainText(folder)}/report.html`,
    `${paint('muted', 'files   ')}${plainText(folder)}`,
  ];
}

function bullet(text: string, sign: string, c: number): string[] {
  return wrap(`${sign} ${plainText(text)}`, c, '  ');
}
