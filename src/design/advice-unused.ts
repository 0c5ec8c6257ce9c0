import { clientNames } from '../spec/check-loads.ts';
import { levelsOf } from '../spec/levels.ts';
import type { AdviceInput } from './advice-input.ts';
import { listed } from './amounts.ts';
import type { Advice } from './plan.ts';

/** What the spec declares and no scenario uses: often a typing mistake, always a setting that is not measured. */
export function onUnused(input: AdviceInput): readonly Advice[] {
  const { spec, scenarios } = input;
  const loads = scenarios.flatMap((s) => s.scenario.loads);
  const hosts = clientNames(spec).filter((host) => !loads.some((load) => load.on === host));
  const topics = Object.keys(spec.topics).filter((topic) => !loads.some((load) => load.topic === topic));
  return [
    ...hosts.map((host) => ({
      code: 'unused-host',
      message: `Client host ${host} runs no load; write lab.clients.count: ${spec.lab.clients.count - hosts.length}, or raise processes.`,
    })),
    ...topics.map((topic) => ({
      code: 'unused-topic',
      message: `No load of any scenario uses topic "${topic}"; remove topics.${topic}, or write topic: ${topic} in a load.`,
    })),
    ...onFactors(input),
    ...onLoads(input),
  ];
}

function onFactors({ spec, scenarios }: AdviceInput): readonly Advice[] {
  // What --only leaves out is used by the spec as written.
  if (spec.only !== undefined) return [];
  return Object.entries(spec.factors).flatMap(([name, factor]): readonly Advice[] => {
    const used = new Set(scenarios.map((s) => s.scenario.levels[name]));
    if (used.size === 1)
      return [
        {
          code: 'unused-factor',
          message: `Factor "${name}" has the same level in every scenario; add it to scenarios, e.g. { vary: [${name}] }, or remove it.`,
        },
      ];
    const idle = levelsOf(factor).flatMap(({ label }) => (used.has(label) ? [] : [label]));
    if (idle.length === 0) return [];
    const message = `No scenario has ${idle.length === 1 ? 'level' : 'levels'} ${listed(idle)} of factor "${name}"; add scenarios that do, or remove ${idle.length === 1 ? 'it' : 'them'}.`;
    return [{ code: 'unused-level', message }];
  });
}

/** Loads that every scenario leaves out. */
function onLoads({ spec, scenarios }: AdviceInput): readonly Advice[] {
  const idle = (section: 'producers' | 'consumers'): readonly string[] =>
    Object.keys(spec[section]).filter((name) =>
      scenarios.every(({ settings }) => {
        const load = settings[section][name];
        return load === undefined || !load.enabled || load.processes === 0;
      }),
    );
  return (['producers', 'consumers'] as const).flatMap((section) =>
    idle(section).map((name) => ({
      code: 'unused-load',
      message: `${section}.${name} runs in no scenario; let a factor enable it, or remove it.`,
    })),
  );
}
