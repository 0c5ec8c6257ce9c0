import { ratioText } from '../analysis/format.ts';
import type { EffectView } from './model.ts';

/**
 * One contrast on a ratio axis in characters: `░` the margin, `│` 1, `├─●─┤` the deciding interval, the ends
 * of the axis as numbers.
 * Log scale, as in the HTML report; null without an interval or where there is no room.
 */
export function axisLine(effect: EffectView, margin: number, columns: number): string | null {
  const interval = effect.simultaneous ?? effect.interval;
  if (!interval || effect.ratio === null || columns < 24) return null;
  const ends = [interval.low, interval.high, 1 + margin, 1 / (1 + margin)].map(Math.log);
  if (!ends.every(Number.isFinite)) return null;
  const low = Math.min(...ends);
  const high = Math.max(...ends);
  const [left, right] = [`${ratioText(Math.exp(low))} `, ` ${ratioText(Math.exp(high))}`];
  const room = columns - left.length - right.length;
  const at = (ratio: number): number =>
    Math.round(((Math.log(ratio) - low) / (high - low || 1)) * (room - 1));
  const cells = Array.from({ length: room }, () => '·');
  cells.fill('░', at(1 / (1 + margin)), at(1 + margin) + 1);
  cells.fill('─', at(interval.low), at(interval.high) + 1);
  cells[at(1)] = cells[at(1)] === '─' ? '┼' : '│';
  cells[at(interval.low)] = '├';
  cells[at(interval.high)] = '┤';
  cells[at(effect.ratio)] = '●';
  return left + cells.join('') + right;
}
