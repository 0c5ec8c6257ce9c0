import { html } from '../markup.ts';
import type { ReportModel, ScenarioView } from '../model.ts';
import { count, plainText } from '../text.ts';
import { type Chart, lookOf } from './chart.ts';
import { axis, drawSvg } from './draw.ts';
import { type TrialSeries, trialSeries } from './series.ts';

const MIB = 2 ** 20;

/** Rate over time, one panel a scenario on the same axes, one line a trial; the measured window stands out. */
export const overTime: Chart = {
  id: 'over-time',
  title: 'Rate over time',
  draw(model) {
    const all = model.trials.filter((t) => t.block > 0).flatMap((t) => trialSeries(t) ?? []);
    if (all.length === 0) return null;
    const values = all.flatMap((s) => s.points.map((p) => p[1] / MIB));
    const seconds = all.flatMap((s) => s.points.map((p) => p[0]));
    const ends = { rate: Math.max(...values) * 1.05, time: Math.ceil(Math.max(...seconds)) };
    return {
      caption: html`One line a trial, from the start of its load. Strong: the measured window; faint: ramp and tail, not measured; dashed: void; open rings: stalls. Shaded: inside the window of every valid trial.`,
      body: html`<div class="panels">${model.scenarios.map((s) => panel(model, s, all, ends))}</div>`,
    };
  },
};

function panel(
  model: ReportModel,
  scenario: ScenarioView,
  all: readonly TrialSeries[],
  ends: { rate: number; time: number },
) {
  const mine = all.filter((s) => s.trial.scenario === scenario.scenario);
  if (mine.length === 0) return null;
  const look = lookOf(scenario.index);
  const option = {
    grid: { left: 52, right: 14, top: 12, bottom: 40 },
    xAxis: axis('seconds', {
      min: 0,
      max: ends.time,
      nameLocation: 'middle',
      nameGap: 26,
      splitLine: { show: false },
      axisLine: { show: true, lineStyle: { color: 'var(--line-strong)' } },
    }),
    yAxis: axis('', {
      min: 0,
      max: ends.rate,
      axisLabel: { color: 'var(--muted)', fontSize: 12, showMaxLabel: false },
    }),
    series: [shade(mine), ...mine.flatMap((s) => lines(s, look.color))],
  };
  const description = `${count(mine.length, 'trial')} of ${plainText(scenario.scenario)} in MiB/s over ${ends.time} seconds.`;
  const drawing = {
    id: `time-${scenario.index}`,
    width: 510,
    height: 250,
    title: `Rate over time, ${scenario.scenario}`,
    description,
  };
  const heading = html`<p class="panel-title"><i class="key" style="color:${look.color}">${KEYS[look.symbol]}</i> <bdi>${scenario.scenario}</bdi> <span class="muted">MiB/s</span></p>`;
  return html`<div class="panel" data-scenario="${scenario.index}" data-of="${model.scenarios.length}">${heading}${drawSvg(drawing, option)}</div>`;
}

/** The printed sign of a scenario's symbol, for keys in text. */
export const KEYS: Readonly<Record<string, string>> = { circle: '●', diamond: '◆', triangle: '▲', rect: '■' };

function shade(series: readonly TrialSeries[]): object {
  const windows = series.filter((s) => s.trial.verdict.valid).flatMap((s) => s.window ?? []);
  const from = Math.max(...windows.map((w) => w.fromS));
  const to = Math.min(...windows.map((w) => w.toS));
  const area = windows.length > 0 && to > from ? [[{ xAxis: from }, { xAxis: to }]] : [];
  return {
    type: 'line',
    silent: true,
    data: [],
    markArea: { silent: true, itemStyle: { color: 'var(--shade)' }, data: area },
  };
}

function lines(series: TrialSeries, color: string): readonly object[] {
  const scaled = series.points.map(([s, perS]) => [s, perS / MIB] as const);
  const valid = series.trial.verdict.valid;
  const base = {
    type: 'line',
    silent: true,
    symbol: 'none',
    lineStyle: { color, width: 1, opacity: 0.35, type: valid ? 'solid' : 'dashed' },
    data: scaled,
  };
  const { window } = series;
  if (!valid || !window) return [{ ...base, lineStyle: { ...base.lineStyle, opacity: 0.8 } }];
  const inside = scaled.filter(([s]) => s >= window.fromS && s <= window.toS);
  const rings = series.stalls.map(([s, perS]) => [s, perS / MIB]);
  return [
    base,
    { ...base, lineStyle: { color, width: 1.8, opacity: 0.95, type: 'solid' }, data: inside },
    {
      type: 'scatter',
      silent: true,
      symbol: 'circle',
      symbolSize: 7,
      itemStyle: { color: 'var(--card)', borderColor: color, borderWidth: 1.5, opacity: 1 },
      data: rings,
    },
  ];
}
