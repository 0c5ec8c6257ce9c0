import { escapeText, html, type Markup, trusted } from '../markup.ts';
import type { EffectView, ReportModel } from '../model.ts';
import { percent, plainText } from '../text.ts';
import type { Chart } from './chart.ts';
import { niceStep, svgHead } from './draw.ts';

const WIDTH = 760;
const SIDE = 28;
const TOP = 30;
const ROW = 58;
const AXIS = 46;

interface Scale {
  readonly low: number;
  readonly high: number;
  x(ratio: number): number;
}

/** The answer as a picture: each contrast's ratio and deciding interval beside 1 and the margin, on a log axis. */
export const ratioAxis: Chart = {
  id: 'ratio',
  title: 'The answer on a ratio axis',
  draw(model) {
    const shown = model.effects.filter((e) => e.ratio !== null);
    if (shown.length === 0) return null;
    return { caption: caption(shown), body: trusted(picture(model, shown)) };
  },
};

function caption(effects: readonly EffectView[]): Markup {
  const e = effects[0];
  const confidence = percent((e?.simultaneous ?? e?.interval)?.confidence ?? 0.95);
  const jointly = effects.length > 1 ? `, all ${effects.length} together` : '';
  return html`Bar: ${confidence} interval${jointly}. Small dots: the ratio in each block. Band: the margin, counts as no difference.`;
}

function picture(model: ReportModel, effects: readonly EffectView[]): string {
  const scale = scaleOf(effects, model.margin);
  const bottom = TOP + ROW * effects.length;
  const drawing = {
    id: 'ratio',
    width: WIDTH,
    height: bottom + AXIS,
    title: 'Ratio of the rates with its interval',
    description: effects.map(inWords).join(' '),
  };
  const rows = effects.map((e, i) => row(e, scale, TOP + ROW * (i + 0.5), effects.length > 1)).join('');
  return `${svgHead(drawing)}${backdrop(scale, model.margin, bottom)}${rows}</svg>`;
}

function inWords(e: EffectView): string {
  return plainText(
    `${e.contrast}: ${e.ratioText ?? 'unknown'} (${e.intervalText ?? 'no interval'}), ${e.word}.`,
  );
}

function scaleOf(effects: readonly EffectView[], margin: number): Scale {
  const values = effects.flatMap((e) => {
    const interval = e.simultaneous ?? e.interval;
    return [e.ratio ?? 1, interval?.low ?? 1, interval?.high ?? 1, ...e.ratios.map((r) => r.ratio)];
  });
  const usable = [...values, 1 + margin, 1 / (1 + margin)]
    .filter((v) => v > 0 && Number.isFinite(v))
    .map(Math.log);
  const from = Math.min(...usable);
  const to = Math.max(...usable);
  const pad = (to - from) * 0.07;
  const low = from - pad;
  const high = to + pad;
  return {
    low: Math.exp(low),
    high: Math.exp(high),
    x: (ratio) => SIDE + ((Math.log(ratio) - low) / (high - low)) * (WIDTH - 2 * SIDE),
  };
}

function backdrop(scale: Scale, margin: number, bottom: number): string {
  const left = scale.x(1 / (1 + margin));
  const right = scale.x(1 + margin);
  const one = scale.x(1);
  const ticks = ticksOf(scale)
    .map(
      (t) =>
        `<line class="tick" x1="${n(t.x)}" x2="${n(t.x)}" y1="${bottom}" y2="${bottom + 5}"/><text class="axis" x="${n(t.x)}" y="${bottom + 21}">${t.label}</text>`,
    )
    .join('');
  // Words beside the line at 1 stay inside the picture by leaning away from its nearer edge.
  const anchor = one < WIDTH * 0.2 ? 'start' : one > WIDTH * 0.8 ? 'end' : 'middle';
  const at = anchor === 'start' ? left : anchor === 'end' ? right : one;
  return (
    `<rect class="margin" x="${n(left)}" y="${TOP - 6}" width="${n(right - left)}" height="${bottom - TOP + 6}"/>` +
    `<line class="base" x1="${SIDE}" x2="${WIDTH - SIDE}" y1="${bottom}" y2="${bottom}"/>${ticks}` +
    `<line class="one" x1="${n(one)}" x2="${n(one)}" y1="${TOP - 6}" y2="${bottom}"/>` +
    `<text class="axis" style="text-anchor:${anchor}" x="${n(at)}" y="14">no difference (1 ± ${escapeText(percent(margin))})</text>` +
    `<text class="axis" style="text-anchor:start" x="${SIDE}" y="${bottom + 41}">← lower</text>` +
    `<text class="axis" style="text-anchor:end" x="${WIDTH - SIDE}" y="${bottom + 41}">higher →</text>`
  );
}

function row(e: EffectView, scale: Scale, y: number, named: boolean): string {
  const interval = e.simultaneous ?? e.interval;
  const dots = e.ratios
    .filter((r) => r.ratio > 0)
    .map(
      (r) =>
        `<circle class="block" cx="${n(scale.x(r.ratio))}" cy="${y + 17}" r="3.5"><title>block ${r.block}: ${r.ratio.toFixed(3)}</title></circle>`,
    )
    .join('');
  const bar = interval
    ? `<line class="bar" x1="${n(scale.x(interval.low))}" x2="${n(scale.x(interval.high))}" y1="${y}" y2="${y}"/>`
    : '';
  const point = e.ratio === null ? '' : `<circle class="point" cx="${n(scale.x(e.ratio))}" cy="${y}" r="7"/>`;
  const name = named
    ? `<text class="name" x="${SIDE}" y="${y - 14}">${escapeText(plainText(e.contrast))}</text>`
    : '';
  return `<g class="${e.mark}">${name}${dots}${bar}${point}</g>`;
}

/** At most eight ticks, 1 always among them; labels that would touch are left out. */
function ticksOf(scale: Scale): readonly { x: number; label: string }[] {
  const found: { x: number; label: string }[] = [];
  for (const value of [1, ...tickValues(scale.low, scale.high)]) {
    const x = scale.x(value);
    if (value < scale.low || value > scale.high || found.some((t) => Math.abs(t.x - x) < 52)) continue;
    found.push({ x, label: String(Number(value.toPrecision(4))) });
  }
  return found;
}

function tickValues(low: number, high: number): readonly number[] {
  if (high / low > 5) {
    const powers = Array.from({ length: 13 }, (_, i) => 10 ** (i - 6));
    return powers.flatMap((p) => [p, 5 * p, 2 * p]);
  }
  const step = niceStep((high - low) / 8);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
}

function n(value: number): string {
  return value.toFixed(1);
}
