import type { TrialRecord } from '../../measure/trial-record.ts';
import { html } from '../markup.ts';
import type { ReportModel } from '../model.ts';
import { mibPerS } from '../text.ts';
import { type Chart, lookOf } from './chart.ts';
import { axis, drawSvg, valueRange } from './draw.ts';

const MIB = 2 ** 20;
/** Part of a block's width over which its trials are spread, in the order they ran. */
const SPREAD = 0.56;

interface Dot {
  readonly x: number;
  readonly y: number;
  readonly trial: TrialRecord;
}

/** Every measured trial as a dot, in the order it ran; the valid ones of a block are connected. */
export const byBlock: Chart = {
  id: 'by-block',
  title: 'Every trial, block by block',
  draw(model) {
    const dots = dotsOf(model);
    if (dots.length === 0) return null;
    const range = valueRange(dots.map((d) => d.y));
    const option = {
      grid: { left: 56, right: 16, top: 34, bottom: 44 },
      xAxis: axis('block', {
        min: 0,
        max: model.blocksPlanned + 1,
        interval: Math.ceil(model.blocksPlanned / 20),
        nameLocation: 'middle',
        nameGap: 26,
        splitLine: { show: false },
        axisLine: { show: true, onZero: false, lineStyle: { color: 'var(--line-strong)' } },
        axisLabel: { color: 'var(--muted)', fontSize: 12, showMinLabel: false, showMaxLabel: false },
      }),
      yAxis: axis('steady rate, MiB/s', {
        min: range.min,
        max: range.max,
        nameTextStyle: { align: 'left', color: 'var(--muted)', fontSize: 12, padding: [0, 0, 0, -46] },
      }),
      series: [...connections(dots), ...points(model, dots)],
    };
    const description = model.scenarios.map((s) => sentence(s.scenario, dots)).join(' ');
    const drawing = {
      id: 'by-block',
      width: 1040,
      height: 320,
      title: 'Steady rate of each trial by block',
      description,
    };
    const cut = range.cut ? ' The axis does not begin at 0.' : '';
    return {
      caption: html`Within a block, trials stand in the order they ran. Crosses are void attempts: they enter no estimate.${cut}`,
      body: drawSvg(drawing, option),
    };
  },
};

function dotsOf(model: ReportModel): readonly Dot[] {
  const measured = model.trials.filter((t) => t.block > 0);
  const lastOf = new Map<number, number>();
  for (const t of measured) lastOf.set(t.block, Math.max(t.position, lastOf.get(t.block) ?? 1));
  const step = SPREAD / Math.max(1, ...[...lastOf.values()].map((last) => last - 1));
  return measured.flatMap((trial) => {
    if (!trial.rate) return [];
    const middle = ((lastOf.get(trial.block) ?? 1) + 1) / 2;
    return [{ x: trial.block + step * (trial.position - middle), y: trial.rate.bytesPerS / MIB, trial }];
  });
}

function connections(dots: readonly Dot[]): readonly object[] {
  const blocks = [...new Set(dots.map((d) => d.trial.block))];
  return blocks.map((block) => ({
    type: 'line',
    silent: true,
    z: 1,
    symbol: 'none',
    lineStyle: { color: 'var(--line-strong)', width: 1.5 },
    data: dots.filter((d) => d.trial.block === block && d.trial.verdict.valid).map((d) => [d.x, d.y]),
  }));
}

function points(model: ReportModel, dots: readonly Dot[]): readonly object[] {
  return model.scenarios.flatMap(({ scenario, index }) => {
    const look = lookOf(index);
    const mine = dots.filter((d) => d.trial.scenario === scenario);
    const at = (valid: boolean): number[][] =>
      mine.filter((d) => d.trial.verdict.valid === valid).map((d) => [d.x, d.y]);
    const cross = 'path://M0,0L10,10M10,0L0,10';
    return [
      {
        type: 'scatter',
        symbol: look.symbol,
        symbolSize: 12,
        itemStyle: { color: look.color, opacity: 1 },
        data: at(true),
      },
      {
        type: 'scatter',
        symbol: cross,
        symbolSize: 11,
        itemStyle: { color: 'none', borderColor: look.color, borderWidth: 2.5, opacity: 1 },
        data: at(false),
      },
    ];
  });
}

function sentence(scenario: string, dots: readonly Dot[]): string {
  const mine = dots.filter((d) => d.trial.scenario === scenario && d.trial.verdict.valid);
  const values = mine.map((d) => `${mibPerS(d.y * MIB)} in block ${d.trial.block}`);
  return `${scenario}, MiB/s: ${values.join(', ') || 'no valid trial'}.`;
}
