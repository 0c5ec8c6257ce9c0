import type { Deviation, ExtendDeviation, FinishEarlyDeviation, SkipDeviation } from '../design/deviation.ts';
import type { Flag } from '../measure/reasons.ts';
import type { EffectResult } from './analysis.ts';

/**
 * What deviations from the plan do to the contrasts. The number of blocks that was changed by hand flags all of them,
 * a skipped trial those of its scenario; no word changes, since what the person had seen is not known.
 */
export function flagDeviations(
  effects: readonly EffectResult[],
  deviations: readonly Deviation[],
): readonly EffectResult[] {
  const stop = unplannedStop(deviations);
  return effects.map((effect) => {
    const skip = unplannedSkip(deviations, [effect.numerator, effect.denominator]);
    const flags = [stop, skip].filter((flag) => flag !== null);
    return flags.length === 0 ? effect : { ...effect, flags: [...effect.flags, ...flags] };
  });
}

/** The flags of an experiment without contrasts: there is nothing else to hang them on. */
export function deviationFlags(
  deviations: readonly Deviation[],
  scenarios: readonly string[],
): readonly Flag[] {
  return [unplannedStop(deviations), unplannedSkip(deviations, scenarios)].filter((flag) => flag !== null);
}

/** One sentence for the answer when not the planned number of blocks ran; null when it did. */
export function stopSentence(deviations: readonly Deviation[], blocksRun: number): string | null {
  const changes = deviations.filter(changesStop);
  const planned = changes[0]?.blocksPlanned;
  if (planned === undefined) return null;
  return `${blocksRun} of ${planned} planned blocks ran: ${changes.map(changeText).join(', then ')}.`;
}

/** One sentence for the answer when trials were skipped by hand; null when none was. */
export function skipSentence(deviations: readonly Deviation[]): string | null {
  const skipped = deviations.filter((d) => d.kind === 'skip');
  if (skipped.length === 0) return null;
  const trials = skipped.length === 1 ? '1 trial was' : `${skipped.length} trials were`;
  const scenarios = [...new Set(skipped.map((d) => d.scenario))].join(', ');
  return `${trials} skipped by hand (${scenarios}).`;
}

/** What the deviations take from the answer. */
export function deviationLimits(deviations: readonly Deviation[]): readonly string[] {
  const skipped = deviations.filter((d) => d.kind === 'skip');
  const changes = deviations.filter(changesStop);
  const pauses = deviations.filter((d) => d.kind === 'pause' && d.position > 1 && d.block > 0);
  const inBlocks = [...new Set(pauses.map((d) => d.block))];
  return [
    ...(changes.length === 0
      ? []
      : [
          `The number of blocks was changed by hand while results could be seen (${changes.map(changeText).join(', then ')}): ` +
            `who stops or goes on after looking gets intervals that miss the truth more often than they say.`,
        ]),
    ...(skipped.length === 0
      ? []
      : [
          `Trials were skipped by hand (${skipped.map(cellText).join('; ')}): a choice of what to leave out may favour one side.`,
        ]),
    ...(inBlocks.length === 0
      ? []
      : [
          `There was a pause within block ${inBlocks.join(', ')}: its trials lie further apart in time than those of other blocks.`,
        ]),
  ];
}

function changesStop(d: Deviation): d is FinishEarlyDeviation | ExtendDeviation {
  return d.kind === 'finish-early' || d.kind === 'extend';
}

function unplannedStop(deviations: readonly Deviation[]): Flag | null {
  const changes = deviations.filter(changesStop);
  if (changes.length === 0) return null;
  const message = `${changes.map(changeText).join(', then ')}: intervals hold for a number of blocks that is fixed in advance`;
  return { code: 'unplanned-stop', message };
}

function unplannedSkip(deviations: readonly Deviation[], scenarios: readonly string[]): Flag | null {
  const cells = deviations.filter((d) => d.kind === 'skip').filter((d) => scenarios.includes(d.scenario));
  if (cells.length === 0) return null;
  return { code: 'unplanned-skip', message: `skipped by hand: ${cells.map(cellText).join('; ')}` };
}

function changeText(d: FinishEarlyDeviation | ExtendDeviation): string {
  return d.kind === 'finish-early'
    ? `ended by hand after block ${d.block} of ${d.blocksPlanned} (${d.reason})`
    : `extended by hand in block ${d.block}, ${d.orders.length} more than planned (${d.reason})`;
}

function cellText({ block, scenario, reason }: SkipDeviation): string {
  return `block ${block} ${scenario} (${reason})`;
}
