import type { Contrast, Plan } from '../design/plan.ts';
import type { Flag } from '../measure/reasons.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { EffectResult, EffectWord, Interval } from './analysis.ts';
import { validCells } from './cells.ts';
import { pText, percentText, ratioText } from './format.ts';
import { minimumBlocks } from './statistics/blocks.ts';
import { holm } from './statistics/holm.ts';
import { tHalfWidth } from '../design/statistics/power.ts';
import { type PairedT, pairedT } from './statistics/paired-t.ts';
import { lag1Correlation, lag1Limit, trend } from './statistics/serial.ts';
import { signFlipP } from './statistics/sign-flip.ts';
import { signedRankInterval } from './statistics/signed-rank.ts';
import { unequalVoiding } from './voiding.ts';
import { wordOfInterval, wordOfSignFlip } from './words.ts';

/** The family-wise error over all primary contrasts. */
export const ALPHA = 0.05;

/**
 * Every planned contrast, decided by the rules of docs/statistics.md: paired t on the log of the within-block ratio, simultaneous over the
 * planned contrasts (also those that turn out to have no data: the plan fixes m, not the outcome).
 */
export function estimateEffects(
  plan: Pick<Plan, 'contrasts' | 'smallestEffectOfInterest'>,
  trials: readonly TrialRecord[],
): readonly EffectResult[] {
  const m = plan.contrasts.length;
  const effects = plan.contrasts.map((c) => estimate(c, m, plan.smallestEffectOfInterest, trials));
  const adjusted = holm(effects.map((e) => e.tP ?? 1));
  return effects.map((e, i) => ({ ...e, holmP: e.tP === null ? null : (adjusted[i] ?? null) }));
}

function estimate(
  contrast: Contrast,
  m: number,
  margin: number,
  trials: readonly TrialRecord[],
): EffectResult {
  const ratios = blockRatios(contrast, trials);
  const d = ratios.map((r) => Math.log(r.ratio));
  const blocks = ratios.map((r) => r.block);
  const t = d.length >= 2 ? pairedT(d) : null;
  const interval = t && tInterval(t, 1);
  const simultaneous = t && tInterval(t, m);
  const rank = signedRankInterval(d, ALPHA / m);
  const facts: Facts = { d, m, margin, simultaneous, signedRank: rank && ratioInterval(rank) };
  const { word, because } = decide(facts, unequalVoiding(trials, contrast.numerator, contrast.denominator));
  return {
    contrast: contrast.name,
    numerator: contrast.numerator,
    denominator: contrast.denominator,
    confounded: contrast.confounded,
    primary: true,
    n: d.length,
    ratios,
    ratio: t && Math.exp(t.mean),
    interval,
    simultaneous,
    sdLog: t && t.sd,
    signFlipP: d.length === 0 ? null : signFlipP(d),
    signedRank: facts.signedRank,
    holmP: null,
    tP: t && t.p,
    higherIn: d.filter((v) => v > 0).length,
    word,
    because,
    flags: timeFlags(blocks, d),
  };
}

/** Within-block ratios in block order; a block with a missing cell drops out of this contrast only. */
function blockRatios(contrast: Contrast, trials: readonly TrialRecord[]): EffectResult['ratios'] {
  const above = validCells(trials, contrast.numerator);
  const below = validCells(trials, contrast.denominator);
  return [...above]
    .flatMap(([block, cell]) => {
      const other = below.get(block);
      return other === undefined ? [] : [{ block, ratio: cell.recordsPerS / other.recordsPerS }];
    })
    .sort((a, b) => a.block - b.block);
}

/** t interval of the ratio; over m contrasts it holds for all of them together (Bonferroni), so the confidence is that of the family. */
function tInterval(t: PairedT, m: number): Interval {
  const half = tHalfWidth(t.sd, t.n, ALPHA / m);
  return { low: Math.exp(t.mean - half), high: Math.exp(t.mean + half), confidence: 1 - ALPHA };
}

function ratioInterval(log: Interval): Interval {
  return { low: Math.exp(log.low), high: Math.exp(log.high), confidence: log.confidence };
}

interface Facts {
  readonly d: readonly number[];
  readonly m: number;
  readonly margin: number;
  readonly simultaneous: Interval | null;
  readonly signedRank: Interval | null;
}

interface Decision {
  readonly word: EffectWord;
  readonly because: string;
}

/** The word and why. Lack of data and a selection come first; then t decides, and the exact methods can only withdraw its verdict. */
function decide(facts: Facts, selection: string | null): Decision {
  const { d, m, margin, simultaneous, signedRank } = facts;
  const needed = minimumBlocks(m, ALPHA);
  if (d.length < needed || simultaneous === null || signedRank === null) {
    const family = m === 1 ? '' : ` over ${m} contrasts`;
    return {
      word: 'cannot be decided',
      because: `${d.length === 1 ? '1 block has' : `${d.length} blocks have`} both trials valid; with fewer than ${needed} the exact test cannot reach α = ${ALPHA}${family}`,
    };
  }
  if (selection !== null) return { word: 'cannot be decided', because: selection };
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

/** Blocks that depend on each other make the interval too narrow (72 % instead of 95 % at a correlation of 0.6). */
function timeFlags(blocks: readonly number[], d: readonly number[]): readonly Flag[] {
  const advice = 'the effect changes with time; the interval may be too narrow';
  const flags: Flag[] = [];
  const r = lag1Correlation(d);
  if (r !== null && d.length >= 4 && r > lag1Limit(d.length)) {
    flags.push({
      code: 'order-drift',
      message: `neighbouring blocks are alike (lag-1 correlation ${r.toFixed(2)}): ${advice}`,
    });
  }
  const line = trend(blocks, d);
  if (line !== null && line.p < ALPHA) {
    const change = percentText(Math.expm1(line.slope));
    flags.push({
      code: 'order-drift',
      message: `the ratio moves by ${change} a block (p ${pText(line.p)}): ${advice}`,
    });
  }
  return flags;
}
