import { describe, expect, it } from 'vitest';
import { deriveMachines, type SampledMachine } from '../../src/measure/derive-machines.ts';
import { makePlan, makeScenario } from '../analysis/make.ts';
import { samplerText, T0 } from './sampler-text.ts';

const scenario = makeScenario('s', {});
const plan = makePlan({ scenarios: [scenario], orders: [['s']], contrasts: [] });
const window = { fromMs: T0 + 1_000, toMs: T0 + 9_000 };
const load = scenario.loads[0]?.name ?? '';

/** A sampler that watches these processes, each with 30 ticks a second, on a machine with this boot id. */
function machine(name: string, boot: string, watched: readonly string[]): SampledMachine {
  const proc = (at: number) => Object.fromEntries(watched.map((one) => [one, [20 * at, 10 * at, 77]]));
  const text = samplerText(12, { edit: (one, at) => ({ ...one, proc: proc(at) }) });
  return { name, samples: new TextEncoder().encode(text.replace('boot-1', boot)) };
}

const derive = (...machines: SampledMachine[]) => deriveMachines(plan, scenario, window, machines);

describe('samplers of an attempt', () => {
  it('a machine that is alone is asked for every broker and load: what it does not know is null', () => {
    const [only] = derive(machine('this machine', 'a', ['broker.b1']));
    expect(only?.summary?.brokerCores).toEqual({ b1: expect.closeTo(0.3) as number, b2: null, b3: null });
    expect(only?.summary?.clientCores).toEqual({ [load]: null });
    // Work of a process that is not known would look like a stranger's.
    expect(only?.summary?.outsideLabShare).toBeNull();
  });

  it('of several each is asked for what it watches, so nothing of it is unknown', () => {
    const [broker, client] = derive(machine('b1', 'a', ['broker.b1']), machine('c1', 'b', [`load.${load}`]));
    expect(broker?.summary?.brokerCores).toEqual({ b1: expect.closeTo(0.3) as number });
    expect(broker?.summary?.clientCores).toEqual({});
    expect(client?.summary?.clientCores).toEqual({ [load]: expect.closeTo(0.3) as number });
    // 80 busy ticks of 200 a second, 30 of them the lab's.
    expect(broker?.summary?.outsideLabShare).toBeCloseTo(0.25);
  });

  it('where pods share a machine, what is outside the lab is unknown: each would take the others for strangers', () => {
    const derived = derive(
      machine('b1', 'a', ['broker.b1']),
      machine('b2', 'a', ['broker.b2']),
      machine('c1', 'b', []),
    );
    expect(derived.map(({ summary }) => summary?.outsideLabShare)).toEqual([
      null,
      null,
      expect.closeTo(0.4) as number,
    ]);
    expect(derived[1]?.summary?.busyCores).not.toBeNull();
  });

  it('a sampler without samples is no machine without work', () => {
    const [gone, there] = derive({ name: 'b1', samples: undefined }, machine('c1', 'a', []));
    expect(gone).toEqual({ name: 'b1', summary: null, throttledShare: null });
    expect(there?.summary?.outsideLabShare).not.toBeNull();
  });
});
