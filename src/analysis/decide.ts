import { fewestBlocks } from '../design/order.ts';
import type { EffectWord, Interval } from './analysis.ts';
import { pText, percentText, ratioText } from './format.ts';
import type { Replicates } from './replicates.ts';
import { signFlipP } from './statistics/sign-flip.ts';
import { wordOfInterval, wordOfSignFlip } from './words.ts';

/** The family-wise error over all primary contrasts. */
export const ALPHA = 0.05;

/** What a verdict rests on. */
export interface Facts {
  readonly d: readonly number[];
  readonly unit: Replicates['unit'];
  /** Planned contrasts. */
  readonly m: number;
  readonly margin: number;
  readonly acrossPlots: boolean;
  readonly simultaneous: Interval | null;
  readonly signedRank: Interval | null;
  /** Why there can be no number, or no verdict whatever the number; null = there may be one. */
  readonly hindrance: string | null;
}

export interface Decision {
  readonly word: EffectWord;
  readonly because: string;
}

/** The word and why. What hinders a verdict comes first, then lack of data; then t decides, and the exact methods can only withdraw its verdict. */
export function decide(facts: Facts): Decision {
  const { d, m, margin, simultaneous, signedRank } = facts;
  if (facts.hindrance !== null) return { word: 'cannot be decided', because: facts.hindrance };
  if (d.length < fewestBlocks(m) || simultaneous === null || signedRank === null)
    return { word: 'cannot be decided', because: tooFew(facts) };
  const word = wordOfInterval(logs(simultaneous), margin);
  const because = intervalSays(word, simultaneous, margin);
  if (word === 'inconclusive') return { word, because };
  const objections = [
    wordOfSignFlip(d, margin, ALPHA / m) === word
      ? []
      : [`the exact sign-flip test (p ${pText(signFlipP(d))})`],
    wordOfInterval(logs(signedRank), margin) === word
      ? []
      : [`the signed-rank interval (${span(signedRank)})`],
  ].flat();
  if (objections.length === 0) return { word, because };
  return {
    word: 'inconclusive',
    because: `${because}, but ${objections.join(' and ')} does not bear it out`,
  };
}

function tooFew({ d, m, unit, acrossPlots }: Facts): string {
  const needed = fewestBlocks(m);
  const family = m === 1 ? '' : ` over ${m} contrasts`;
  const seen =
    unit === 'lab'
      ? `${d.length} ${d.length === 1 ? 'lab has' : 'labs have'} blocks with both trials valid`
      : `${d.length === 1 ? '1 block has' : `${d.length} blocks have`} both trials valid`;
  const plots = acrossPlots
    ? '; the broker settings were applied once in each block, so a block is one whole plot'
    : '';
  return `${seen}; with fewer than ${needed} the exact test cannot reach α = ${ALPHA}${family}${plots}`;
}

function intervalSays(word: EffectWord, interval: Interval, margin: number): string {
  const where = `the interval ${span(interval)}`;
  if (word === 'inconclusive')
    return `${where} holds 1 and reaches beyond the margin of ± ${percentText(margin)}`;
  if (word === 'higher' || word === 'lower') {
    const side = word === 'higher' ? 'above' : 'below';
    const clear = interval.low >= 1 + margin || interval.high <= 1 / (1 + margin);
    const size = clear ? 'beyond' : 'though perhaps by less than';
    return `${where} lies ${side} 1, ${size} the margin of ± ${percentText(margin)}`;
  }
  return `${where} lies inside the margin of ± ${percentText(margin)}`;
}

function logs(interval: Interval): { low: number; high: number } {
  return { low: Math.log(interval.low), high: Math.log(interval.high) };
}

function span(interval: Interval): string {
  return `${ratioText(interval.low)} to ${ratioText(interval.high)}`;
}
