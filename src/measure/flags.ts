import { cacheFlags, consumerFlags } from './consumer-flags.ts';
import type { Evidence, MachineEvidence, ProducerEvidence } from './evidence.ts';
import { metricsByName } from './metrics-table.ts';
import type { Flag, FlagCode } from './reasons.ts';
import type { LoadMeasurement } from './trial-rate.ts';
import { STEADY_AGREES_WITHIN } from './windows.ts';
import { mib, n, percent } from './words.ts';

/** A machine is noisy when steal, or CPU outside the lab, takes more than this share of it. */
export const NOISY_SHARE = 0.05;
/** A rate-limited load reached its rate from this share on. */
export const RATE_REACHED = 0.995;
/** A line below this share of the asked rate hides waiting from the latencies (coordinated omission). */
export const LINE_REACHED = 0.95;
/** A client is bound by its CPU from this share of the cores it may use on. */
export const CLIENT_CPU_SHARE = 0.9;
/** An unlimited producer that waits for buffer space less than this share of its time is itself the limit. */
export const CLIENT_WAIT_SHARE = 0.1;
const THROTTLED_SHARE = 0.01;
/** No Kafka producer that runs as fast as it can is slower than this. */
const SLOWEST_PLAUSIBLE_PER_S = 10;

function flag(code: FlagCode, message: string): Flag {
  return { code, message };
}

/** Warnings that do not void a trial. */
export function flagsOf(evidence: Evidence): Flag[] {
  const loads = evidence.loads.flatMap((load) => {
    if (load.kind === 'consumer') return consumerFlags(load);
    const measured = evidence.measurement.loads.find((one) => one.name === load.name);
    return measured === undefined ? [] : producerFlags(load, measured);
  });
  return [
    ...loads,
    ...(evidence.caches ?? []).flatMap(cacheFlags),
    ...evidence.machines.flatMap(machineFlags),
    ...settleFlags(evidence),
  ];
}

function producerFlags(load: ProducerEvidence, measured: LoadMeasurement): Flag[] {
  const clock = load.output.clock;
  return [
    ...clientBound(load, measured),
    ...rateFlags(load, measured),
    ...implausible(load, measured),
    ...brokerThrottled(load),
    ...(measured.steadyDiffers
      ? [
          flag(
            'steady-differs',
            `${load.name}: the steady rate differs by ${percent(measured.againstTotal ?? 0)} from the total rate outside ramp and tail (more than ${percent(STEADY_AGREES_WITHIN)})`,
          ),
        ]
      : []),
    ...(clock.steps > 0
      ? [
          flag(
            'clock-step',
            `${load.name}: the wall clock was set ${n(clock.steps)} times, by up to ${n(clock.largestStepMs)} ms`,
          ),
        ]
      : []),
  ];
}

/** The client limits the rate when its CPU is used up, or when it runs as fast as it can and its buffer is never full. */
function clientBound(load: ProducerEvidence, measured: LoadMeasurement): Flag[] {
  const { usedCores, allowedCores } = load;
  if (usedCores !== null && allowedCores !== null && usedCores >= CLIENT_CPU_SHARE * allowedCores) {
    return [
      flag(
        'client-bound',
        `${load.name}: the client used ${n(usedCores)} of the ${n(allowedCores)} cores it may use`,
      ),
    ];
  }
  const waitNs = metricsByName(load.output.metrics.rows)['producer-metrics:bufferpool-wait-time-ns-total'];
  const { startedAtMs, endedAtMs } = measured;
  if (waitNs === undefined || load.askedRecordsPerS !== null || startedAtMs === null || endedAtMs === null)
    return [];
  const share = waitNs / 1e6 / (endedAtMs - startedAtMs);
  if (!(share < CLIENT_WAIT_SHARE)) return [];
  return [
    flag(
      'client-bound',
      `${load.name}: the client waited for buffer space ${percent(share)} of its time: it made records no faster than they went out`,
    ),
  ];
}

function rateFlags(load: ProducerEvidence, measured: LoadMeasurement): Flag[] {
  const asked = load.askedRecordsPerS;
  if (asked === null) return [];
  const flags: Flag[] = [];
  const reached = measured.steady?.recordsPerS ?? measured.totalRecordsPerS;
  if (reached !== null && reached < RATE_REACHED * asked) {
    flags.push(
      flag(
        'rate-not-reached',
        `${load.name}: ${n(reached)} records/s of the ${n(asked)} asked (${percent(reached / asked)})`,
      ),
    );
  }
  const { steady, startedAtMs } = measured;
  if (steady === null || startedAtMs === null) return flags;
  const inside = measured.series.filter((line) => {
    const end = startedAtMs + line.endMs;
    return end - line.lengthMs >= steady.fromMs - 1 && end <= steady.toMs + 1;
  });
  const slow = inside.filter(
    (line) => line.stall || (line.records / line.lengthMs) * 1000 < LINE_REACHED * asked,
  );
  if (slow.length > 0) {
    flags.push(
      flag(
        'co-suspect',
        `${load.name}: ${n(slow.length)} of ${n(inside.length)} intervals stalled or fell below ${percent(LINE_REACHED)} of the asked rate: latencies miss the waiting`,
      ),
    );
  }
  return flags;
}

function implausible(load: ProducerEvidence, measured: LoadMeasurement): Flag[] {
  const { final } = load.output;
  const rate = measured.steady?.recordsPerS ?? measured.totalRecordsPerS;
  const flags: Flag[] = [];
  if (load.askedRecordsPerS === null && rate !== null) {
    const rates = load.output.intervals.map((line) => line.recordsPerS);
    if (rate < SLOWEST_PLAUSIBLE_PER_S) {
      flags.push(flag('implausible', `${load.name}: ${n(rate)} records/s from a load without a limit`));
    } else if (rates.length >= 5 && rates.every((one) => one === rates[0])) {
      flags.push(
        flag('implausible', `${load.name}: all ${n(rates.length)} intervals have exactly the same rate`),
      );
    }
  }
  if (final?.recordsPerS != null && final.mibPerS !== null) {
    const own = (final.recordsPerS * load.recordBytes) / 1024 / 1024;
    if (Math.abs(own - final.mibPerS) > 0.02 * own + 0.01) {
      flags.push(
        flag(
          'implausible',
          `${load.name}: the tool says ${n(final.mibPerS)} MiB/s, its records of ${n(load.recordBytes)} B make ${n(own)}`,
        ),
      );
    }
  }
  return flags;
}

function brokerThrottled(load: ProducerEvidence): Flag[] {
  const maxMs = metricsByName(load.output.metrics.rows)['producer-metrics:produce-throttle-time-max'] ?? 0;
  return maxMs > 0
    ? [
        flag(
          'throttled',
          `${load.name}: a broker quota held the producer back by up to ${n(maxMs)} ms a request`,
        ),
      ]
    : [];
}

function machineFlags(machine: MachineEvidence): Flag[] {
  const { name, summary, throttledShare } = machine;
  const flags: Flag[] = [];
  if (throttledShare !== undefined && throttledShare !== null && throttledShare > THROTTLED_SHARE) {
    flags.push(
      flag(
        'throttled',
        `${name}: a CPU limit held the lab back for ${percent(throttledShare)} of the window`,
      ),
    );
  }
  if (summary === null) return flags;
  const { stealShare, outsideLabShare, clockSteps } = summary;
  if (stealShare !== null && stealShare > NOISY_SHARE) {
    flags.push(flag('noisy-host', `${name}: the hypervisor took ${percent(stealShare)} of the CPU (steal)`));
  }
  if (outsideLabShare !== null && outsideLabShare > NOISY_SHARE) {
    flags.push(
      flag('noisy-host', `${name}: processes outside the lab used ${percent(outsideLabShare)} of the CPU`),
    );
  }
  if (clockSteps > 0)
    flags.push(flag('clock-step', `${name}: the wall clock was set ${n(clockSteps)} times in the window`));
  const unknown = unknownCounters(machine, summary);
  if (unknown.length > 0)
    flags.push(flag('unknown-counter', `${name}: not known on this machine: ${unknown.join(', ')}`));
  return flags;
}

function unknownCounters(
  machine: MachineEvidence,
  summary: NonNullable<MachineEvidence['summary']>,
): string[] {
  const counters: [string, unknown][] = [
    ['CPU in use', summary.busyCores],
    ['steal', summary.stealShare],
    ['CPU outside the lab', summary.outsideLabShare],
    ['device writes', summary.deviceWriteBytesPerS],
    ['dirty memory', summary.dirtyBytesMax],
    ['I/O pressure', summary.psi.ioSomeShare],
    ['CPU throttling', machine.throttledShare],
  ];
  return counters.filter(([, value]) => value === null).map(([what]) => what);
}

function settleFlags(evidence: Evidence): Flag[] {
  if (evidence.settle === null) return [];
  const { outcome, dirtyBytes } = evidence.settle;
  const last = outcome.curve.at(-1);
  const flags: Flag[] = [];
  if (outcome.outcome === 'PLATEAU')
    flags.push(
      flag('settle-plateau', `the machine stopped getting quieter after ${n(outcome.tookMs / 1000)} s`),
    );
  if (outcome.outcome === 'TIMEOUT')
    flags.push(flag('settle-timeout', `the machine was not quiet after ${n(outcome.tookMs / 1000)} s`));
  if (last !== undefined && last.dirtyBytes > outcome.baseDirtyBytes + dirtyBytes) {
    flags.push(
      flag(
        'carry-over',
        `the load began with ${mib(last.dirtyBytes - outcome.baseDirtyBytes)} above the base still to be written by what ran before`,
      ),
    );
  }
  return flags;
}
