import { median } from '../../analysis/statistics/describe.ts';
import type { Plan, Scenario } from '../../design/plan.ts';
import { hostSummary, throttledShare } from '../../measure/host-summary.ts';
import { BROKER_PREFIX, LOAD_PREFIX } from '../../measure/sampled-processes.ts';
import type { Samples } from '../../measure/sample.ts';
import type { HostSummary, TrialRecord } from '../../measure/trial-record.ts';
import { figuresOf, type ResourceFigure, type ResourceRow } from '../resources.ts';
import { percent } from '../text.ts';
import { ofBroker, ofLoad, type PodSamples, trialWindow } from './pod-samples.ts';

/** What a pod and its node did in one trial. */
interface Seen {
  readonly host: HostSummary;
  readonly throttled: number | null;
}

/** A row for each scenario and pod: medians over the valid trials, each from the sampler in that very pod. */
export function podResourceRows(
  plan: Plan,
  trials: readonly TrialRecord[],
  samplesOf: PodSamples,
): readonly ResourceRow[] {
  return plan.scenarios.flatMap((scenario, index) => {
    const mine = trials.filter((t) => t.block > 0 && t.scenario === scenario.slug && t.verdict.valid);
    return podsOf(plan, scenario).flatMap((pod) => {
      const seen = mine.flatMap((trial) => seenIn(trial, pod, samplesOf(trial)));
      if (seen.length === 0) return [];
      const figures = [...figuresOf(seen.map(({ host }) => host)), throttling(seen)];
      return [{ scenario: scenario.slug, index, who: pod.who, n: seen.length, figures }];
    });
  });
}

interface Pod {
  readonly who: string;
  readonly brokers: readonly string[];
  readonly loads: readonly string[];
}

/** Brokers, then clients that have loads in this scenario. */
function podsOf({ lab }: Plan, { loads }: Scenario): readonly Pod[] {
  const brokers = Array.from({ length: lab.brokers.count }, (_, i) => `b${i + 1}`);
  return [
    ...brokers.map((name): Pod => ({ who: `broker ${name}`, brokers: [name], loads: [] })),
    ...lab.clients.names.flatMap((name): Pod[] => {
      const here = loads.filter(({ on }) => on === name).map((load) => load.name);
      return here.length === 0 ? [] : [{ who: `client ${name}`, brokers: [], loads: here }];
    }),
  ];
}

function seenIn(trial: TrialRecord, { brokers, loads }: Pod, pods: readonly Samples[]): Seen[] {
  const [broker] = brokers;
  const samples = broker === undefined ? ofLoad(pods, loads[0] ?? '') : ofBroker(pods, broker);
  const window = trialWindow(trial);
  if (samples === undefined || window === null) return [];
  const roles = {
    brokers: brokers.map((name) => `${BROKER_PREFIX}${name}`),
    clients: loads.map((name) => `${LOAD_PREFIX}${name}`),
  };
  return [{ host: hostSummary(samples, window, roles), throttled: throttledShare(samples, window) }];
}

function throttling(seen: readonly Seen[]): ResourceFigure {
  const known = seen.flatMap(({ throttled }) => throttled ?? []);
  const text = known.length === 0 ? null : percent(median(known));
  return { name: 'throttled by its CPU limit', text, n: known.length };
}
