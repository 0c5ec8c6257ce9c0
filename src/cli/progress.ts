import { REASONS } from '../measure/reasons.ts';
import { CLEANUP } from './outcome.ts';
import { stripLine } from './strip-line.ts';
import type { ExperimentPhase, ExperimentStatus, RecentTrial, TrialHeartbeat } from '../temporal/status.ts';
import { durationText, rateText } from './words.ts';

/** A running experiment as lines of text. Pure. */

const PHASE_WORDS: Record<ExperimentPhase, string> = {
  planning: 'planning',
  'waiting-for-lease': 'waiting for the machine',
  provisioning: 'bringing the lab up',
  'warming-up': 'warming up',
  measuring: 'measuring',
  paused: 'paused',
  analysing: 'analysing',
  exporting: 'exporting',
  keeping: 'keeping the lab',
  'tearing-down': 'tearing the lab down',
  'reading-metrics': 'reading CloudWatch',
  done: 'done',
};

/** The experiment's phase in plain words, with who holds the machine. */
export function phaseText(status: ExperimentStatus): string {
  const words = PHASE_WORDS[status.phase];
  if (status.phase !== 'waiting-for-lease' || status.leaseHolder === undefined) return words;
  return `${words}, which ${status.leaseHolder} holds`;
}

/** `block 2, batch=64KiB, attempt 1` of `b2/batch=64KiB/a1`. */
export function trialText(id: string): string {
  const match = /^b(\d+)(?:\.p(\d+))?\/(.+)\/a(\d+)$/.exec(id);
  if (match === null) return id;
  const [, block, pass, scenario, attempt] = match;
  const where = pass === undefined ? `block ${block}` : `warm-up pass ${pass}`;
  return `${where}, ${scenario}${attempt === '1' ? '' : `, attempt ${attempt}`}`;
}

/** One finished attempt as one line; a void one says why in plain words. */
export function finishedTrialLine(trial: RecentTrial, planned: number): string {
  const of = planned > 0 ? ` of ${Math.max(planned, trial.position)}` : '';
  const head = `trial ${trial.position}${of}  ${trialText(trial.id)}`;
  if (trial.valid) {
    return `${head}  valid${trial.rateRecordsPerS === null ? '' : `  ${rateText(trial.rateRecordsPerS)}`}`;
  }
  if (trial.why !== undefined && trial.why !== '')
    return `${head}  VOID: ${trial.reasons.join(', ')} (${trial.why})`;
  const why = trial.reasons.map((code) => `${code} (${REASONS[code]?.says ?? 'unknown to this version'})`);
  return `${head}  VOID: ${why.join(', ') || 'no reason given'}`;
}

export interface LiveView {
  readonly status: ExperimentStatus;
  readonly heartbeat: TrialHeartbeat | null;
  /** Since the heartbeat was read, milliseconds: countdowns go on between two looks. */
  readonly ageMs: number;
  readonly nowMs: number;
}

/** The updating block: at most four lines, each cut to the terminal's width. */
export function liveBlock(view: LiveView, columns: number): string[] {
  const { strip, asked } = view.status;
  const lines = [
    headLine(view),
    strip === undefined ? null : `  ${stripLine(strip, columns - 3)}`,
    currentLine(view),
    asked === undefined ? null : `  asked for: ${asked.join('; ')}`,
  ].filter((line) => line !== null);
  return lines.map((line) => (line.length < columns ? line : `${line.slice(0, Math.max(1, columns - 2))}…`));
}

function headLine({ status, nowMs }: LiveView): string {
  const parts = [`${status.name}: ${phaseText(status)}`];
  if (status.trialsPlanned > 0) {
    const running = status.current === null ? 0 : 1;
    parts.push(
      `trial ${Math.min(status.trialsDone + running, status.trialsPlanned)} of ${status.trialsPlanned}`,
    );
  }
  if (status.trialsDone > 0) parts.push(`${status.valid} valid, ${status.voided.length} void`);
  parts.push(`${durationText(nowMs - Date.parse(status.startedAt))} so far`);
  if (status.etaMs !== undefined) parts.push(`about ${durationText(status.etaMs)} left`);
  return parts.join('  ');
}

/** What happens now: of a trial its phase, countdown and provisional rate. */
export function currentLine({ status, heartbeat, ageMs, nowMs }: LiveView): string | null {
  if (status.phase === 'paused' && status.pausedUntil !== undefined)
    return `  goes on in ${durationText(Date.parse(status.pausedUntil) - nowMs)} at the latest; ${status.message}`;
  if (status.current === null) return status.message === '' ? null : `  ${status.message}`;
  const parts = [`  ${trialText(status.current.id)}  ${heartbeat?.phase ?? status.current.phase}`];
  if (heartbeat !== null && heartbeat.text !== '') parts.push(heartbeat.text);
  if (heartbeat?.remainingMs !== undefined) {
    parts.push(`at most ${durationText(heartbeat.remainingMs - ageMs)}`);
  }
  if (heartbeat?.provisionalRecordsPerS !== undefined) {
    parts.push(`${rateText(heartbeat.provisionalRecordsPerS)} (provisional)`);
  }
  return parts.join('  ');
}

/**
 * The whole status as text, for `assay status ID`.
 *
 * @param state of the workflow, e.g. `RUNNING`: one that was terminated tells where it stood, and never an outcome.
 */
export function statusText(view: LiveView, workflowId: string, state: string | null = null): string {
  const { status } = view;
  const lines = [`${workflowId}  (key ${status.key})`];
  if (status.outcome === null && state !== null && state !== 'RUNNING')
    lines.push(
      `  ${state.toLowerCase().replaceAll('_', ' ')}; it stood here, and nothing was torn down: ${CLEANUP}`,
    );
  lines.push(...liveBlock(view, Number.POSITIVE_INFINITY));
  if (status.outcome !== null) lines.push(`  ${status.outcome}: ${status.message}`);
  for (const note of status.notes ?? []) lines.push(`  note: ${note}`);
  for (const trial of status.voided)
    lines.push(`  void: ${trialText(trial.id)}: ${trial.reasons.join(', ')}`);
  if (status.resultsFolder !== null) lines.push(`  results: ${status.resultsFolder}`);
  return `${lines.join('\n')}\n`;
}
