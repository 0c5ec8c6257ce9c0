import { consumerRules } from './consumer-rules.ts';
import type { Evidence, ExitEvidence, LoadEvidence, ProducerEvidence } from './evidence.ts';
import type { Reason } from './reasons.ts';
import { reason } from './reasons.ts';
import { causeOf } from './stderr.ts';
import { n, seconds } from './words.ts';

/** The tool's clock and the runner's may differ by the JVM's start and end. */
const CLOCKS_AGREE_MS = 1_000;

/** Reasons that one load gives: how its process ended, what it printed, what it counted. */
export function loadRules(load: LoadEvidence, evidence: Evidence): Reason[] {
  const ended = endRules(load, evidence);
  if (load.state === 'absent' || load.state === 'running') return ended;
  return [...ended, ...(load.kind === 'producer' ? producerRules(load) : consumerRules(load))];
}

function endRules(load: LoadEvidence, evidence: Evidence): Reason[] {
  // With a reason known beforehand, a load that was never started or is just being ended is its consequence.
  if (load.state === 'absent') {
    if (evidence.known.length > 0) return [];
    return [reason('capsule-lost', `${load.name}: no trace of the load was found on its host`)];
  }
  if (load.state === 'running') {
    return evidence.known.length > 0
      ? []
      : [reason('bug', `${load.name}: the verdict was asked for while the load still ran`)];
  }
  if (load.state === 'lost') {
    return [reason('capsule-lost', `${load.name}: its runner died and left no exit record`)];
  }
  if (load.exit === null)
    return [reason('bug', `${load.name}: it is said to have exited, without an exit record`)];
  return exitRules(load, load.exit);
}

function exitRules(load: LoadEvidence, exit: ExitEvidence): Reason[] {
  if (exit.by === 'deadline') {
    return [
      reason(
        'wall-timeout',
        `${load.name}: ended by its deadline after ${seconds(exit.endedAtMs - exit.startedAtMs)}`,
      ),
    ];
  }
  if (exit.code === 0) return [];
  const how = exit.by === 'killed' ? 'was killed on request' : endedHow(exit.code);
  const quote = causeOf(load.errors) ?? causeOf(load.output.errors) ?? load.errors.lastLine;
  return [reason('tool-exit', `${load.name}: the perf tool ${how}${quote === null ? '' : `: ${quote}`}`)];
}

function endedHow(code: number): string {
  return code > 128 && code < 192 ? `was killed by signal ${code - 128}` : `ended with exit code ${code}`;
}

function producerRules(load: ProducerEvidence): Reason[] {
  return [...summaryRules(load), ...countRules(load), ...callbackRules(load), ...timeRules(load)];
}

function summaryRules(load: ProducerEvidence): Reason[] {
  const { output } = load;
  if (output.final !== null) return [];
  if (output.finalLines > 1) {
    return [
      reason(
        'no-summary',
        `${load.name}: ${output.finalLines} final lines were printed, none can be believed`,
      ),
    ];
  }
  const sent = output.intervals.reduce((sum, line) => sum + line.records, 0);
  const torn = output.unreadable.lines > 0 ? `; unreadable: "${output.unreadable.first}"` : '';
  return [
    reason(
      'no-summary',
      `${load.name}: no final line after ${n(output.intervals.length)} interval lines with ${n(sent)} records${torn}`,
    ),
  ];
}

function countRules(load: ProducerEvidence): Reason[] {
  const count = load.output.final?.records;
  if (count === undefined || count === load.asked) return [];
  if (count > load.asked) {
    return [
      reason('count-over', `${load.name}: ${n(count)} records were reported, ${n(load.asked)} were asked`),
    ];
  }
  const missing = load.asked - count;
  return [
    reason(
      'count-short',
      `${load.name}: ${n(count)} of ${n(load.asked)} records succeeded, ${n(missing)} did not`,
    ),
  ];
}

function callbackRules(load: ProducerEvidence): Reason[] {
  const failed =
    Math.max(load.failedCallbacks, load.errors.failedCallbacks) + load.output.errors.failedCallbacks;
  if (failed === 0) return [];
  const classes = Object.entries({ ...load.output.errors.failedByClass, ...load.errors.failedByClass })
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name]) => name);
  const named = classes.length === 0 ? '' : ` (${classes.join(', ')})`;
  const first = load.errors.firstFailure ?? load.output.errors.firstFailure;
  return [
    reason(
      'callbacks-failed',
      `${load.name}: ${n(failed)} sends failed${named}${first === null ? '' : `: ${first}`}`,
    ),
  ];
}

function timeRules(load: ProducerEvidence): Reason[] {
  const { final, intervals } = load.output;
  if (final === null || final.recordsPerS === null || final.recordsPerS <= 0) return [];
  const reasons: Reason[] = [];
  const sent = intervals.reduce((sum, line) => sum + line.records, 0);
  if (sent > final.records && load.output.toolWarmupRecords === null) {
    reasons.push(
      reason(
        'times-inconsistent',
        `${load.name}: the interval lines hold ${n(sent)} records, the final line ${n(final.records)}`,
      ),
    );
  }
  const toolMs = (final.records / final.recordsPerS) * 1000;
  const wallMs = load.exit === null ? null : load.exit.endedAtMs - load.exit.startedAtMs;
  if (wallMs !== null && toolMs > wallMs + CLOCKS_AGREE_MS) {
    reasons.push(
      reason(
        'times-inconsistent',
        `${load.name}: the tool says it sent for ${seconds(toolMs)}, but its process lived ${seconds(wallMs)}`,
      ),
    );
  }
  return reasons;
}
