import { beating, type Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import type { HostActivities } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { voids } from './errors.ts';
import { keepLease } from './lease.ts';
import type { BrokerSettings } from '../src/lab/lab.ts';
import type { Plan } from '../src/design/plan.ts';
import { asJson } from '../src/store/experiment-files.ts';

/** Gives the brokers the settings of a plot; what is in effect then is kept once for each plot. */
export function plotActivities(deps: ActivityDeps): Pick<HostActivities, 'applyPlot'> {
  return {
    applyPlot: ({ ref, plot }) =>
      beating(
        async (beat) => applyPlot(await deps.benches.open(ref), plot, beat),
        () => keepLease(ref),
      ),
  };
}

async function applyPlot(bench: Bench, plot: string, beat: Beat): Promise<{ readonly message: string }> {
  const settings = settingsOf(bench.plan, plot);
  const brokerConfig = await bench.lab.reconfigure(settings, (text) => beat.say({ text }), beat.signal);
  await bench.store.replace(`plots/${plot}.json`, asJson({ format: 1, plot, ...settings, brokerConfig }));
  const how = settings.apply === 'dynamic' ? 'altered in running brokers' : 'brokers restarted';
  const changes = Object.entries(settings.config).map(
    ([name, value]) => `${name} ${value ?? '(as by default)'}`,
  );
  return { message: `${plot}: ${how}${changes.length === 0 ? '' : `, ${changes.join(', ')}`}` };
}

function settingsOf(plan: Plan, plot: string): BrokerSettings {
  const settings = plan.plots[plot];
  if (settings === undefined) throw voids('bug', `the plan has no plot ${plot}`);
  const varied = [...new Set(Object.values(plan.plots).flatMap((p) => Object.keys(p.config)))];
  return { ...settings, varied };
}
