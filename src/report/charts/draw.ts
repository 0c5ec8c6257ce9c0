import { LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, MarkAreaComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { escapeText, type Markup, trusted } from '../markup.ts';

use([LineChart, ScatterChart, GridComponent, MarkAreaComponent, SVGRenderer]);

export interface Drawing {
  /** Unique in the document; letters, digits and dashes. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Read out instead of the picture: what it is, and what it shows. */
  readonly title: string;
  readonly description: string;
}

/**
 * Draws a chart without a browser, as SVG that scales with its place. The library numbers its ids and classes
 * over the life of the process; they are renamed or dropped, so that the same model gives the same bytes.
 */
export function drawSvg(drawing: Drawing, option: EChartsCoreOption): Markup {
  const chart = init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: drawing.width,
    height: drawing.height,
  });
  try {
    chart.setOption({ animation: false, ...option });
    const svg = chart
      .renderToSVGString()
      .replace(/<style >.*?<\/style>/gs, '')
      .replace(/ (?:class="zr\d+-cls-\d+"|pointer-events="visible"|ecmeta_\w+="[^"]*")/g, '')
      .replace(/\bzr\d+-/g, `${drawing.id}-`)
      .replace(/\n+/g, '\n');
    return trusted(svg.replace(/^<svg [^>]*>/, svgHead(drawing)));
  } finally {
    chart.dispose();
  }
}

/** The opening of an accessible SVG that is as wide as its place. */
export function svgHead({ id, width, height, title, description }: Drawing): string {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${escapeText(title)}</title><desc id="${id}-d">${escapeText(description)}</desc>`;
}

/** The axis style of every chart: quiet lines, readable labels. */
export function axis(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'value',
    name,
    nameTextStyle: { color: 'var(--muted)', fontSize: 12 },
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { color: 'var(--muted)', fontSize: 12 },
    splitLine: { lineStyle: { color: 'var(--line)' } },
    ...more,
  };
}

/**
 * Ends of a value axis. From zero unless all values lie close together, where zero would hide what differs
 * between blocks; the caption must then say that the axis is cut.
 */
export function valueRange(values: readonly number[]): { min: number; max: number; cut: boolean } {
  const high = Math.max(...values);
  const low = Math.min(...values);
  const cut = low > 0.7 * high;
  const step = niceStep(((cut ? high - low : high) || high || 1) / 4);
  return {
    min: cut ? Math.floor((low - step / 4) / step) * step : 0,
    max: Math.ceil((high * 1.02) / step) * step,
    cut,
  };
}

/** The next of 1, 2, 2.5, 5 × 10^k that is not smaller. */
export function niceStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 2.5, 5, 10].find((f) => f * power >= raw * 0.999) ?? 10;
  return factor * power;
}
