import { html, type Markup } from '../markup.ts';
import type { MemorySeries } from '../memory.ts';
import type { ReportModel, ScenarioView } from '../model.ts';
import { count, plainText } from '../text.ts';
import { type Chart, lookOf } from './chart.ts';
import { axis, drawSvg, niceStep } from './draw.ts';
import { KEYS } from './over-time.ts';

const MIB = 2 ** 20;

/** Memory that waits for the disk around each trial: one panel a scenario, one pair of lines a trial. */
export const dirtyMemory: Chart = {
  id: 'dirty-memory',
  title: 'Dirty memory around the loads',
  draw(model) {
    const all = model.memory.filter((s) => s.trial.block > 0);
    if (all.length === 0) return null;
    const ends = endsOf(all);
    return {
      caption: html`${model.clientsOnly ? 'Of the machine of the clients; what the brokers still had to write was not seen. ' : ''}From the settle before a load (left of 0) over the load (shaded: until the first load of the panel ended) to the drain after it. Solid: Dirty, waiting in memory; dotted: Writeback, being written. From the samples of the first machine; a load that starts above 0 starts with work left over from the one before.`,
      body: html`<div class="panels">${model.scenarios.map((s) => panel(model, s, all, ends))}</div>`,
    };
  },
};

interface Ends {
  readonly fromS: number;
  readonly toS: number;
  readonly mib: number;
}

function endsOf(all: readonly MemorySeries[]): Ends {
  const seconds = all.flatMap((s) => s.points.map((p) => p.atS));
  const most = Math.max(
    ...all.flatMap((s) => s.points.map((p) => Math.max(p.dirtyBytes, p.writebackBytes ?? 0))),
  );
  const step = niceStep(Math.max(1, most / MIB) / 4);
  return {
    fromS: Math.floor(Math.min(0, ...seconds)),
    toS: Math.ceil(Math.max(1, ...seconds)),
    mib: Math.ceil((most * 1.02) / MIB / step) * step || 1,
  };
}

function panel(
  model: ReportModel,
  scenario: ScenarioView,
  all: readonly MemorySeries[],
  ends: Ends,
): Markup | null {
  const mine = all.filter((s) => s.trial.scenario === scenario.scenario);
  if (mine.length === 0) return null;
  const look = lookOf(scenario.index);
  const option = {
    grid: { left: 56, right: 14, top: 12, bottom: 40 },
    xAxis: axis('seconds since the load started', {
      min: ends.fromS,
      max: ends.toS,
      nameLocation: 'middle',
      nameGap: 26,
      splitLine: { show: false },
      axisLine: { show: true, onZero: false, lineStyle: { color: 'var(--line-strong)' } },
      axisLabel: { color: 'var(--muted)', fontSize: 12, showMinLabel: false, showMaxLabel: false },
    }),
    yAxis: axis('', {
      min: 0,
      max: ends.mib,
      axisLine: { show: false, onZero: false },
      axisLabel: { color: 'var(--muted)', fontSize: 12 },
    }),
    series: [shade(mine), ...mine.flatMap((s) => lines(s, look.color))],
  };
  const drawing = {
    id: `memory-${scenario.index}`,
    width: 510,
    height: 230,
    title: `Dirty memory, ${scenario.scenario}`,
    description: inWords(scenario.scenario, mine),
  };
  const heading = html`<p class="panel-title"><i class="key" style="color:${look.color}">${KEYS[look.symbol]}</i> <bdi>${scenario.scenario}</bdi> <span class="muted">MiB</span></p>`;
  return html`<div class="panel" data-scenario="${scenario.index}" data-of="${model.scenarios.length}">${heading}${drawSvg(drawing, option)}</div>`;
}

function shade(series: readonly MemorySeries[]): object {
  const area = [[{ xAxis: 0 }, { xAxis: Math.min(...series.map((s) => s.loadEndS)) }]];
  return {
    type: 'line',
    silent: true,
    data: [],
    markArea: { silent: true, itemStyle: { color: 'var(--shade)' }, data: area },
  };
}

function lines(series: MemorySeries, color: string): readonly object[] {
  const line = (
    type: string,
    width: number,
    opacity: number,
    data: readonly (readonly number[])[],
  ): object => ({
    type: 'line',
    silent: true,
    symbol: 'none',
    lineStyle: { color, width, opacity, type },
    data,
  });
  const valid = series.trial.verdict.valid;
  const dirty = series.points.map((p) => [p.atS, p.dirtyBytes / MIB]);
  const writeback = series.points.flatMap((p) =>
    p.writebackBytes === null ? [] : [[p.atS, p.writebackBytes / MIB]],
  );
  return [line(valid ? 'solid' : 'dashed', 1.5, 0.85, dirty), line('dotted', 1.3, 0.7, writeback)];
}

function inWords(scenario: string, series: readonly MemorySeries[]): string {
  const most = Math.max(...series.flatMap((s) => s.points.map((p) => p.dirtyBytes)));
  const atStart = series.map((s) => s.points.findLast((p) => p.atS <= 0)?.dirtyBytes ?? 0);
  return plainText(
    `${scenario}: ${count(series.length, 'trial')}; at most ${Math.round(most / MIB)} MiB dirty, at most ${Math.round(Math.max(...atStart) / MIB)} MiB when a load started.`,
  );
}
