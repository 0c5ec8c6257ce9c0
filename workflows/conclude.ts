import { ApplicationFailure, condition } from '@temporalio/workflow';
import { stampOf } from '../src/design/smoke.ts';
import type { ExperimentOutcome, ExperimentResult } from '../src/temporal/status.ts';
import type { AnalysisBrief, Conclusion, Leftovers, PlanBrief } from '../activities/contract.ts';
import { hostActivities } from './activities.ts';
import type { Controls } from './controls.ts';
import { keepingMachine } from './pause.ts';
import { causeOf, isHostGone, messageOf } from './failures.ts';
import type { Logbook } from './logbook.ts';

/** How the measuring ended. */
export type Ending =
  | { readonly kind: 'completed' }
  | { readonly kind: 'aborted'; readonly message: string }
  | { readonly kind: 'failed'; readonly error: unknown };

const MINUTE = 60_000;
const NOTHING: Leftovers = { leaks: [], unverified: [] };
/** An export that takes longer than this must not keep the lab alive. */
const EXPORT_MS = 10 * MINUTE;
/** All that may hold a lab in a cluster, one thing after the other: tried again it would only be waited for again. */
const TEARDOWN_MS = 30 * MINUTE;
/** Points that come late, and credentials that somebody has to renew. */
const METRICS_MS = 70 * MINUTE;

/**
 * Runs uncancelled, whatever happened before: analyse → export → teardown → verify gone → export what is now
 * known. Ends as a failure when the experiment failed.
 */
export async function concludeExperiment(
  plan: PlanBrief,
  log: Logbook,
  controls: Controls,
  ending: Ending,
): Promise<ExperimentResult> {
  const { deviations } = controls;
  log.enter('analysing', 'estimating the effects');
  const analysis = await attempt(log, 'analysis', () =>
    hostActivities(plan.hostQueue, 5 * MINUTE).analyseExperiment({ ref: plan.ref, deviations }),
  );
  log.enter('exporting', 'writing the report');
  await exportNow(plan, log, conclusion(log, ending, NOTHING));
  if (ending.kind === 'completed') await keepLab(plan, log, controls);
  log.enter('tearing-down', 'ending the brokers and removing their folders');
  const left = await tearDown(plan, log);
  await readMetrics(plan, log);
  const last = conclusion(log, ending, left);
  const folder = await exportNow(plan, log, last);
  await attempt(log, 'release of the machine', () => hostActivities(plan.hostQueue).releaseLease(plan.ref));
  log.outcome = last.outcome;
  log.enter('done', analysis === null ? last.message : analysis.answer);
  return finish(ending, result(plan, log, last, analysis, folder ?? plan.ref.store));
}

/** The spec may ask that the lab stays for a while, to look at it; nothing is measured any more. */
async function keepLab(plan: PlanBrief, log: Logbook, controls: Controls): Promise<void> {
  const { keepMs } = plan;
  if (keepMs === undefined) return;
  const until = new Date(Date.now() + keepMs).toISOString().slice(0, 19);
  log.enter(
    'keeping',
    `the report is written; the lab is kept until ${until}Z, or until \`assay abort\` ends it`,
  );
  await keepingMachine(plan, log, () => condition(() => controls.released, keepMs));
}

/** A step that must not keep the following ones from running: its failure becomes a note. */
async function attempt<T>(log: Logbook, what: string, step: () => Promise<T>): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    log.notes.push(`${what} failed: ${messageOf(error)}`);
    return null;
  }
}

async function exportNow(plan: PlanBrief, log: Logbook, conclusion: Conclusion): Promise<string | null> {
  const input = { ref: plan.ref, conclusion };
  const exported = await attempt(log, 'export', () =>
    hostActivities(plan.hostQueue, EXPORT_MS).exportResults(input),
  );
  return exported?.folder ?? null;
}

/** Where nobody may look is no leak: it becomes a note. A host that cannot be asked at all has proven nothing gone. */
async function tearDown(plan: PlanBrief, log: Logbook): Promise<Leftovers> {
  const host = hostActivities(plan.hostQueue, 10 * MINUTE);
  await attempt(log, 'teardown', () => hostActivities(plan.hostQueue, TEARDOWN_MS).teardownLab(plan.ref));
  const found = await attempt(log, 'verification of the teardown', () => host.verifyGone(plan.ref));
  if (found === null)
    return { leaks: ['unknown: the host did not answer when asked what is left'], unverified: [] };
  const left = 'leaks' in found ? found : { leaks: found, unverified: [] };
  log.notes.push(...left.unverified.map((what) => `not verified that nothing is left: ${what}`));
  return left;
}

/** Late points are waited for when nothing is billed any more. */
async function readMetrics(plan: PlanBrief, log: Logbook): Promise<void> {
  if (plan.metrics !== true) return;
  log.enter('reading-metrics', 'reading what CloudWatch counted; its points come minutes late');
  const read = await attempt(log, 'reading CloudWatch', () =>
    hostActivities(plan.hostQueue, METRICS_MS).readMetrics(plan.ref),
  );
  if (read !== null) log.notes.push(read.message);
}

function conclusion(log: Logbook, ending: Ending, { leaks, unverified }: Leftovers): Conclusion {
  const { startedAtMs, notes } = log;
  return {
    ...outcomeOf(ending, leaks),
    startedAtMs,
    endedAtMs: Date.now(),
    leaks,
    ...(unverified.length > 0 && { unverified }),
    notes: [...notes],
  };
}

function outcomeOf(
  ending: Ending,
  leaks: readonly string[],
): { outcome: ExperimentOutcome; message: string } {
  if (ending.kind === 'aborted') return { outcome: 'aborted', message: ending.message };
  if (ending.kind === 'failed') return { outcome: 'failed', message: messageOf(ending.error) };
  if (leaks.length > 0)
    return { outcome: 'completed-with-leaks', message: `left behind: ${leaks.join('; ')}` };
  return { outcome: 'completed', message: 'completed' };
}

function result(
  plan: PlanBrief,
  log: Logbook,
  conclusion: Conclusion,
  analysis: AnalysisBrief | null,
  resultsFolder: string,
): ExperimentResult {
  const { outcome, leaks, unverified } = conclusion;
  const message = outcome === 'completed' && analysis !== null ? analysis.answer : conclusion.message;
  const decided = analysis?.decided ?? false;
  const expectations = analysis?.expectations;
  return {
    format: 1,
    ...stampOf(plan),
    key: plan.ref.key,
    outcome,
    decided,
    ...(expectations && { expectations }),
    resultsFolder,
    message,
    leaks,
    ...(unverified && { unverified }),
    valid: log.validCount,
    voided: log.voidCount,
  };
}

/** An experiment that failed is a failed workflow, so that the UI and schedules see it; its result goes along as details. */
function finish(ending: Ending, result: ExperimentResult): ExperimentResult {
  if (ending.kind !== 'failed') return result;
  const cause = causeOf(ending.error);
  const type = isHostGone(ending.error)
    ? 'HostGone'
    : cause instanceof ApplicationFailure
      ? (cause.type ?? 'Failed')
      : 'Failed';
  throw ApplicationFailure.create({ message: result.message, type, nonRetryable: true, details: [result] });
}
