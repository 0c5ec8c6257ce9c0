import { median } from '../analysis/statistics/describe.ts';
import type { Plan } from '../design/plan.ts';
import type { HostSummary, TrialRecord } from '../measure/trial-record.ts';
import { mibPerS, number, percent } from './text.ts';

/** One figure about the machine inside the steady windows of a scenario: its median over the valid trials. */
export interface ResourceFigure {
  /** With its unit: `brokers, cores`. */
  readonly name: string;
  /** null = unknown in every trial. */
  readonly text: string | null;
  /** Valid trials in which it is known. */
  readonly n: number;
}

export interface ResourceRow {
  readonly scenario: string;
  /** Position in the plan, from 0. */
  readonly index: number;
  /** Of which pod and its node, in a lab of pods: `broker b1`; absent: of the machine. */
  readonly who?: string;
  /** Valid trials with samples. */
  readonly n: number;
  readonly figures: readonly ResourceFigure[];
}

interface Metric {
  readonly name: string;
  readonly of: (host: HostSummary) => number | null | undefined;
  readonly show: (value: number) => string;
}

const cores = (value: number): string => value.toFixed(2);
const mib = (value: number): string => number(value / 2 ** 20);

const METRICS: readonly Metric[] = [
  { name: 'brokers, cores', of: (h) => sum(h.brokerCores), show: cores },
  { name: 'clients, cores', of: (h) => sum(h.clientCores), show: cores },
  { name: 'whole machine, cores', of: (h) => h.busyCores, show: cores },
  { name: 'waiting for CPU (PSI)', of: (h) => h.psi.cpuSomeShare, show: percent },
  { name: 'waiting for I/O (PSI)', of: (h) => h.psi.ioSomeShare, show: percent },
  { name: 'device writes, MiB/s', of: (h) => h.deviceWriteBytesPerS, show: mibPerS },
  { name: 'device reads, MiB/s', of: (h) => h.deviceReadBytesPerS, show: mibPerS },
  { name: 'device busy', of: (h) => h.deviceBusyShare, show: percent },
  { name: 'network in, MiB/s', of: (h) => h.network?.receivedBytesPerS, show: mibPerS },
  { name: 'network out, MiB/s', of: (h) => h.network?.sentBytesPerS, show: mibPerS },
  { name: 'dirty memory at most, MiB', of: (h) => h.dirtyBytesMax, show: mib },
];

/** What machine, brokers and clients did, by scenario, in the plan's order; scenarios without samples are left out. */
export function resourceRows(plan: Plan, trials: readonly TrialRecord[]): readonly ResourceRow[] {
  return plan.scenarios.flatMap(({ slug }, index) => {
    const hosts = trials
      .filter((t) => t.block > 0 && t.scenario === slug && t.verdict.valid)
      .flatMap((t) => t.host ?? []);
    if (hosts.length === 0) return [];
    return [{ scenario: slug, index, n: hosts.length, figures: figuresOf(hosts) }];
  });
}

/** Each figure as the median over trials in which it is known. */
export function figuresOf(hosts: readonly HostSummary[]): readonly ResourceFigure[] {
  return METRICS.map(({ name, of, show }) => {
    const known = hosts.flatMap((host) => of(host) ?? []);
    return { name, text: known.length === 0 ? null : show(median(known)), n: known.length };
  });
}

/** Unknown when one of them is unknown: a sum without it would be too small. */
function sum(parts: Readonly<Record<string, number | null>>): number | null {
  const values = Object.values(parts);
  if (values.length === 0 || values.includes(null)) return null;
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
