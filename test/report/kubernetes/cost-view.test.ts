import { describe, expect, test } from 'vitest';
import { costView } from '../../../src/report/kubernetes/cost-view.ts';
import { loadResults, type Results } from '../../../src/report/results.ts';
import { labPlanOf } from '../../lab/kubernetes/objects/support.ts';
import { IN_PODS_ENVIRONMENT, PARTS, PODS, storeInPods } from './fixture.ts';

const HOUR_MS = 3_600_000;
const results = async (): Promise<Results> => loadResults(await storeInPods());

/** What three nodes (the client shares one) and three volumes cost an hour. */
const USD_PER_HOUR = 3 * 0.236 + (300 * 0.0912) / 730;

describe('what a lab in pods cost', () => {
  test('estimated by the plan; attributed between the time that is sure and the time that is possible', async () => {
    const all = await results();
    const { estimated, attributed, lines } = costView(all);
    const { low, high } = all.plan.estimates.durationMs;
    // The plan does not know that the client will share a node; its m5.large has no price.
    expect(estimated?.low).toBeCloseTo((USD_PER_HOUR * low) / HOUR_MS, 9);
    expect(estimated?.high).toBeCloseTo((USD_PER_HOUR * high) / HOUR_MS, 9);
    const first = Date.parse(all.trials[0]?.startedAt ?? '');
    const last = Date.parse(all.trials.at(-1)?.endedAt ?? '');
    expect(attributed?.low).toBeCloseTo((USD_PER_HOUR * (last - first)) / HOUR_MS, 9);
    expect(attributed?.high).toBeCloseTo((USD_PER_HOUR * PARTS.tookMs) / HOUR_MS, 9);
    expect(lines[0]).toMatch(/^Estimated before: \$0\.\d+ to \$0\.\d+ at prices of 2026-09\.$/);
    expect(lines[1]).toContain('for 3 × m5.xlarge + 3 × 100 GiB gp3');
    expect(lines.at(-1)).toMatch(/^Not included: the control plane/);
  });

  test('what has no price is named and in no sum, and nodes stay with what they cost an hour', async () => {
    const all = await results();
    expect(costView(all).lines).toContain('Without a price, and in no sum: 1 × m5.large.');
    expect(costView(all).stays).toEqual({ what: ['3 × m5.xlarge'], usdPerHour: 3 * 0.236 });
    expect(costView(all).lines.join('\n')).toContain('Assay ends none: 3 × m5.xlarge stay until');
    const [b1, ...others] = PODS;
    const large = b1 && { ...b1, facts: { ...b1.facts, instanceType: 'm7g.metal' }, node: 'other' };
    const mixed = { ...IN_PODS_ENVIRONMENT, pods: large === undefined ? [] : [large, ...others] };
    const view = costView({ ...all, environment: mixed });
    expect(view.stays).toEqual({ what: ['1 × m7g.metal', '3 × m5.xlarge'], usdPerHour: null });
    expect(view.lines.join('\n')).toContain('what they cost an hour is not known');
  });

  test('without prices there is no sum at all, not 0', async () => {
    const all = await results();
    const view = costView({ ...all, plan: { ...all.plan, lab: labPlanOf({ kubernetes: {} }) } });
    expect(view).toMatchObject({ estimated: null, attributed: null, stays: { usdPerHour: null } });
    expect(view.lines[0]).toMatch(/^Cost is not known: lab\.kubernetes\.prices/);
  });

  test('without prices in the spec those that AWS listed are reckoned with, and named; else why there are none', async () => {
    const all = await results();
    const listed = all.plan.lab.kubernetes?.prices ?? null;
    const plan = { ...all.plan, lab: labPlanOf({ kubernetes: {} }) };
    const message = 'Prices are those that AWS listed for ap-northeast-2 on 2026-11-30.';
    const view = costView({ ...all, plan, prices: { format: 1, prices: listed, message } });
    expect(view.attributed?.low).toBeGreaterThan(0);
    expect(view.lines).toContain(message);
    const silent = costView({
      ...all,
      plan,
      prices: { format: 1, prices: null, message: 'AWS did not say.' },
    });
    expect(silent.lines[0]).toBe('Cost is not known. AWS did not say.');
    expect(silent.attributed).toBeNull();
  });

  test('an experiment that provisioned nothing has an estimate only', async () => {
    const view = costView({ ...(await results()), environment: null, trials: [] });
    expect(view).toMatchObject({ attributed: null, stays: null });
    expect(view.lines).toContain('Nothing was provisioned: nothing is attributed.');
  });

  test('a lab that ran no trial is surely nothing and at most the whole experiment', async () => {
    const view = costView({ ...(await results()), trials: [] });
    expect(view.attributed?.low).toBe(0);
    expect(view.attributed?.high).toBeCloseTo((USD_PER_HOUR * PARTS.tookMs) / HOUR_MS, 9);
  });

  test('several labs share the time: together they are there for no longer than the experiment', async () => {
    const all = await results();
    const two = {
      ...all,
      laterLabs: [{ lab: 2, environment: IN_PODS_ENVIRONMENT }],
      trials: all.trials.map((t) => (t.block === 2 ? { ...t, lab: 2 } : t)),
    };
    const [one, both] = [costView(all).attributed, costView(two).attributed];
    expect(both?.low).toBeLessThan(one?.low ?? 0);
    // Both may have been there between the last trial of one and the first of the other.
    expect(both?.high).toBeGreaterThan((one?.high ?? 0) * 0.99);
    expect(both?.high).toBeLessThan((one?.high ?? 0) * 1.1);
  });

  test('an end that was not stored: until the last trial', async () => {
    const { attributed } = costView({ ...(await results()), experiment: null });
    expect(attributed?.high).toBeCloseTo(attributed?.low ?? 0, 9);
  });
});
