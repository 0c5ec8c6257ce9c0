import type { Plan } from '../design/plan.ts';
import type { LoadRecord, TrialRecord } from '../measure/trial-record.ts';
import { csvText, type Field } from './csv-table.ts';
import { NOT_A_MEASUREMENT } from './text.ts';

interface Column {
  readonly name: string;
  readonly of: (trial: TrialRecord) => Field;
}

/** One row an attempt, void ones and block 0 included, in the order they ran. Units stand in the header. */
export function trialsCsv(plan: Plan, trials: readonly TrialRecord[]): string {
  const columns = [
    ...stamp(plan),
    ...IDENTITY,
    ...factorColumns(plan),
    ...VERDICT,
    ...RATE,
    ...LOADS,
    ...HOST,
  ];
  return csvText(
    columns.map((c) => c.name),
    trials.map((trial) => columns.map((c) => c.of(trial))),
  );
}

/** Figures of a rehearsal must not be taken for a measurement wherever the table is opened. */
function stamp(plan: Plan): readonly Column[] {
  return plan.smoke === true ? [{ name: 'stamp', of: () => NOT_A_MEASUREMENT }] : [];
}

const IDENTITY: readonly Column[] = [
  { name: 'trial', of: (t) => t.id },
  { name: 'block', of: (t) => t.block },
  { name: 'pass', of: (t) => t.pass },
  { name: 'scenario', of: (t) => t.scenario },
  { name: 'attempt', of: (t) => t.attempt },
  { name: 'position', of: (t) => t.position },
  { name: 'started_at', of: (t) => t.startedAt },
  { name: 'ended_at', of: (t) => t.endedAt },
];

function factorColumns(plan: Plan): readonly Column[] {
  const levels = new Map(plan.scenarios.map((s) => [s.slug, s.levels]));
  const factors = [...new Set(plan.scenarios.flatMap((s) => Object.keys(s.levels)))];
  return factors.map((factor) => ({ name: `factor_${factor}`, of: (t) => levels.get(t.scenario)?.[factor] }));
}

const VERDICT: readonly Column[] = [
  { name: 'valid', of: (t) => t.verdict.valid },
  { name: 'reasons', of: (t) => t.verdict.reasons.map((r) => r.code).join(' ') },
  { name: 'reason_messages', of: (t) => t.verdict.reasons.map((r) => r.message).join('; ') },
  { name: 'flags', of: (t) => t.verdict.flags.map((f) => f.code).join(' ') },
];

const RATE: readonly Column[] = [
  { name: 'steady_records_per_s', of: (t) => t.rate?.recordsPerS },
  { name: 'steady_bytes_per_s', of: (t) => t.rate?.bytesPerS },
  { name: 'window_ms', of: (t) => t.rate?.windowMs },
  { name: 'window_from_epoch_ms', of: (t) => t.rate?.fromMs },
  { name: 'window_to_epoch_ms', of: (t) => t.rate?.toMs },
  { name: 'window_over', of: (t) => t.rate?.over },
  { name: 'intervals', of: (t) => t.rate?.intervals },
  { name: 'stalls', of: (t) => t.rate?.stalls },
];

/** Counts add up over loads; a percentile or a rate of several loads does not, so it is given for one load only. */
const LOADS: readonly Column[] = [
  { name: 'loads', of: (t) => t.loads.length },
  { name: 'asked_records', of: (t) => total(t.loads.map((l) => l.asked)) },
  { name: 'final_records', of: (t) => total(t.loads.map((l) => l.finalCount)) },
  { name: 'in_log_records', of: (t) => total(t.offsets.map((o) => o.inLog)) },
  { name: 'failed_callbacks', of: (t) => total(t.loads.map((l) => l.failedCallbacks)) },
  { name: 'client_cpu_cores', of: (t) => total(t.loads.map((l) => l.cpuCores)) },
  { name: 'total_records_per_s', of: (t) => single(t)?.totalRecordsPerS },
  { name: 'latency_avg_ms', of: (t) => single(t)?.latencyMs?.avg },
  { name: 'latency_p50_ms', of: (t) => single(t)?.latencyMs?.p50 },
  { name: 'latency_p95_ms', of: (t) => single(t)?.latencyMs?.p95 },
  { name: 'latency_p99_ms', of: (t) => single(t)?.latencyMs?.p99 },
  { name: 'latency_p999_ms', of: (t) => single(t)?.latencyMs?.p999 },
  { name: 'latency_max_ms', of: (t) => single(t)?.latencyMs?.max },
];

const HOST: readonly Column[] = [
  { name: 'settle', of: (t) => t.settle?.outcome },
  { name: 'settle_method', of: (t) => t.settle?.method },
  { name: 'settle_ms', of: (t) => t.settle?.tookMs },
  { name: 'drain', of: (t) => t.drain?.outcome },
  { name: 'drain_ms', of: (t) => t.drain?.tookMs },
  { name: 'sample_coverage_share', of: (t) => t.host?.coverage },
  { name: 'busy_cores', of: (t) => t.host?.busyCores },
  { name: 'steal_share', of: (t) => t.host?.stealShare },
  { name: 'outside_lab_share', of: (t) => t.host?.outsideLabShare },
  { name: 'broker_cpu_cores', of: (t) => (t.host ? total(Object.values(t.host.brokerCores)) : null) },
  { name: 'device_write_bytes_per_s', of: (t) => t.host?.deviceWriteBytesPerS },
  { name: 'device_read_bytes_per_s', of: (t) => t.host?.deviceReadBytesPerS },
  { name: 'device_busy_share', of: (t) => t.host?.deviceBusyShare },
  { name: 'network_received_bytes_per_s', of: (t) => t.host?.network?.receivedBytesPerS },
  { name: 'network_sent_bytes_per_s', of: (t) => t.host?.network?.sentBytesPerS },
  { name: 'psi_cpu_some_share', of: (t) => t.host?.psi.cpuSomeShare },
  { name: 'psi_io_some_share', of: (t) => t.host?.psi.ioSomeShare },
  { name: 'dirty_max_bytes', of: (t) => t.host?.dirtyBytesMax },
  { name: 'clock_steps', of: (t) => t.host?.clockSteps },
  { name: 'sample_gaps', of: (t) => t.host?.gaps },
];

/** Unknown when any part is unknown: a sum without it would be too small. */
function total(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return values.length > 0 ? sum : null;
}

function single(trial: TrialRecord): LoadRecord | null {
  return trial.loads.length === 1 ? (trial.loads[0] ?? null) : null;
}
