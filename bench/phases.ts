import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mean } from '../src/analysis/statistics/describe.ts';

/** Where the time of a run of several trials went. Means in ms over measured trials; the other two once a run. */
export interface TimeSpent {
  /** Phase → mean over the measured trials. */
  readonly phasesMs: Readonly<Record<string, number>>;
  /** From the start to the first trial of the warm-up. */
  readonly beforeMs: number;
  readonly trials: number;
  /** All that is neither before the first trial nor inside one. */
  readonly restMs: number;
}

/** The activities of a trial and the phase that each carries out. */
const PHASES: Readonly<Record<string, string>> = {
  prepareTrial: 'prepare',
  settleTrial: 'settle',
  runLoads: 'load',
  drainTrial: 'drain',
  verifyTrial: 'verify',
  collectTrial: 'collect',
  releaseTrial: 'release',
};

interface HistoryEvent {
  readonly eventId: string;
  readonly eventTime: string;
  readonly activityTaskScheduledEventAttributes?: { readonly activityType?: { readonly name?: string } };
  readonly activityTaskCompletedEventAttributes?: { readonly scheduledEventId?: string };
}

interface TrialTimes {
  readonly warmUp: boolean;
  readonly fromMs: number;
  readonly toMs: number;
  readonly phasesMs: Readonly<Record<string, number>>;
}

/** What the exported histories of an experiment say; `startedAtMs` and `wallMs` are of the whole command. */
export function spentByAssay(results: string, startedAtMs: number, wallMs: number): TimeSpent {
  const folder = join(results, 'histories');
  const trials = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => trialTimes(join(folder, name), name.startsWith('b0')));
  const beforeMs = Math.min(...trials.map((t) => t.fromMs)) - startedAtMs;
  const insideMs = trials.reduce((sum, t) => sum + t.toMs - t.fromMs, 0);
  const measured = trials.filter((t) => !t.warmUp);
  const named = Object.values(PHASES).map((phase) => [phase, meanOf(measured, phase)] as const);
  const all = mean(measured.map((t) => t.toMs - t.fromMs));
  const between = all - named.reduce((sum, [, ms]) => sum + ms, 0);
  return {
    phasesMs: { ...Object.fromEntries(named), 'between phases': between },
    beforeMs,
    trials: measured.length,
    restMs: wallMs - beforeMs - insideMs,
  };
}

function meanOf(trials: readonly TrialTimes[], phase: string): number {
  return mean(trials.map((t) => t.phasesMs[phase] ?? 0));
}

function trialTimes(file: string, warmUp: boolean): TrialTimes {
  const { events } = JSON.parse(readFileSync(file, 'utf8')) as { events: readonly HistoryEvent[] };
  const at = (event: HistoryEvent | undefined) => Date.parse(event?.eventTime ?? '');
  const phasesMs: Record<string, number> = {};
  const started = new Map<string, { name: string; atMs: number }>();
  for (const event of events) {
    const name = event.activityTaskScheduledEventAttributes?.activityType?.name;
    if (name !== undefined) started.set(event.eventId, { name, atMs: at(event) });
    const from = started.get(event.activityTaskCompletedEventAttributes?.scheduledEventId ?? '');
    const phase = from === undefined ? undefined : PHASES[from.name];
    if (from !== undefined && phase !== undefined) phasesMs[phase] = at(event) - from.atMs;
  }
  return { warmUp, fromMs: at(events[0]), toMs: at(events.at(-1)), phasesMs };
}

/** What plain.sh printed: `<trial> <step> <ms>` a line; warm-up trials are called `warm…`, the run itself `-`. */
export function spentByScript(stdout: string, wallMs: number): TimeSpent {
  const steps = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([trial = '', step = '', ms = '']) => ({ trial, step, ms: Number(ms) }));
  const inTrials = steps.filter((s) => s.trial !== '-');
  const measured = inTrials.filter((s) => !s.trial.startsWith('warm'));
  const beforeMs = steps.find((s) => s.step === 'start')?.ms ?? Number.NaN;
  const phasesMs = Object.fromEntries(
    [...Map.groupBy(measured, (s) => s.step)].map(([step, all]) => [step, mean(all.map((s) => s.ms))]),
  );
  return {
    phasesMs,
    beforeMs,
    trials: new Set(measured.map((s) => s.trial)).size,
    restMs: wallMs - beforeMs - inTrials.reduce((sum, s) => sum + s.ms, 0),
  };
}
