import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import { AwsError } from '../src/aws/errors.ts';
import type { PricesRecord, PriceTable } from '../src/design/cost.ts';
import { billedParts } from '../src/design/lab-cost.ts';
import type { LabFacts } from '../src/lab/lab.ts';
import { asJson, FILES, loadJson } from '../src/store/experiment-files.ts';

/** Nothing that is measured waits for a price for longer than this. */
const LIMIT_MS = 30_000;

/**
 * What AWS lists on the day for the nodes and volumes of a lab whose spec gives no prices. It is kept beside the results and not in
 * the plan: nobody asked for it. Why there is none is kept too; a missing price stops nothing.
 */
export async function recordPrices(bench: Bench, facts: LabFacts, beat: Beat): Promise<void> {
  const { kubernetes } = bench.plan.lab;
  if (kubernetes === undefined || kubernetes.prices !== null) return;
  if (await bench.store.has(FILES.prices)) return;
  const record = await listedPrices(bench, kubernetes.region, facts, beat);
  await bench.store.put(FILES.prices, asJson(record));
}

/** Of the spec, else as AWS listed them; null = not known. */
export async function pricesOf({ plan, store }: Bench): Promise<PriceTable | null> {
  const ofSpec = plan.lab.kubernetes?.prices ?? null;
  if (ofSpec !== null || !(await store.has(FILES.prices))) return ofSpec;
  return (await loadJson<PricesRecord>(store, FILES.prices)).value.prices;
}

async function listedPrices(
  { plan }: Bench,
  region: string | null,
  facts: LabFacts,
  beat: Beat,
): Promise<PricesRecord> {
  const none = (why: string): PricesRecord => ({ format: 1, prices: null, message: why });
  if (region === null) return none('AWS was not asked for prices: the region is not known.');
  const date = new Date().toISOString().slice(0, 10);
  const { lookUpPrices } = await import('../src/aws/prices.ts');
  const say = (text: string) => beat.say({ text });
  const patience = { limitMs: LIMIT_MS, credentialsLimitMs: 0, say, signal: beat.signal };
  try {
    const prices = await lookUpPrices({ region, ...pricedParts(plan.lab, facts) }, date, patience);
    return { format: 1, prices, message: `Prices are those that AWS listed for ${region} on ${date}.` };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return none(`AWS was asked for prices and did not say: ${error.message}`);
  }
}

/** The nodes that there are, and those that the plan asks for. */
function pricedParts(lab: Bench['plan']['lab'], { pods = [] }: LabFacts) {
  const { billed } = billedParts(lab);
  const planned = (kind: 'instance' | 'volume') =>
    billed.flatMap((one) => (one.kind === kind ? [one.type] : []));
  const there = pods.flatMap(({ facts }) => facts['instanceType'] ?? []);
  return {
    instanceTypes: [...new Set([...planned('instance'), ...there])],
    volumeTypes: [...new Set(planned('volume'))],
  };
}
