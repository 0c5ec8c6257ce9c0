/**
 * What somebody changed in an experiment while it ran, against its plan. Recorded with the results
 * (`deviations.json`), named by the report, and weighed by the analysis.
 */
export type Deviation = PauseDeviation | SkipDeviation | FinishEarlyDeviation | ExtendDeviation;

/** Where in the experiment it took effect: before the trial at this position. */
export interface Place {
  /** 0 = the warm-up. */
  readonly block: number;
  /** Of block 0 only. */
  readonly pass: number | null;
  /** 1-based position in the block. */
  readonly position: number;
}

interface Change extends Place {
  /** ISO 8601, UTC: when it took effect. */
  readonly at: string;
  readonly reason: string;
}

/** The experiment waited between two trials; the lab stayed up. */
export interface PauseDeviation extends Change {
  readonly kind: 'pause';
  readonly lastedMs: number;
  readonly endedBy: PauseEnd;
}

export type PauseEnd = 'resume' | 'limit' | 'finish-early' | 'abort';

/** A trial that was planned and not run because somebody asked for that: a hole in the data. */
export interface SkipDeviation extends Change {
  readonly kind: 'skip';
  readonly scenario: string;
  readonly attempt: number;
}

/** No further blocks after `block`. */
export interface FinishEarlyDeviation extends Change {
  readonly kind: 'finish-early';
  readonly blocksPlanned: number;
}

/** Blocks beyond the plan, drawn by the plan's rule from the plan's seed. */
export interface ExtendDeviation extends Change {
  readonly kind: 'extend';
  readonly blocksPlanned: number;
  /** Orders of the blocks that were added. */
  readonly orders: readonly (readonly string[])[];
}

/** `deviations.json`; absent when everything went as planned. */
export interface DeviationsRecord {
  readonly format: 1;
  readonly deviations: readonly Deviation[];
}

/** A deviation as one plain sentence, for the notes of a report. */
export function deviationText(d: Deviation): string {
  const why = `(${d.reason})`;
  if (d.kind === 'pause')
    return `Paused for ${minutes(d.lastedMs)} before ${placeText(d)} ${why}; ${PAUSE_ENDS[d.endedBy]}.`;
  if (d.kind === 'skip')
    return `Skipped by hand: block ${d.block}, ${d.scenario}${d.attempt > 1 ? `, attempt ${d.attempt}` : ''} ${why}; it enters no estimate.`;
  if (d.kind === 'finish-early')
    return `Finished early by hand: ${d.block} of ${d.blocksPlanned} planned blocks ${why}.`;
  return `Extended by hand during block ${d.block}: ${d.orders.length} more than the ${d.blocksPlanned} of the plan ${why}.`;
}

const PAUSE_ENDS: Readonly<Record<PauseEnd, string>> = {
  resume: 'resumed by hand',
  limit: 'it went on by itself when the limit of the pause had passed',
  'finish-early': 'it ended there',
  abort: 'it was aborted or cancelled during the pause',
};

function placeText({ block, pass, position }: Place): string {
  const where = pass === null ? `block ${block}` : `warm-up pass ${pass}`;
  return `trial ${position} of ${where}`;
}

function minutes(ms: number): string {
  return ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
