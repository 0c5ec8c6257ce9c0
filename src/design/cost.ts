import type { PricePlan } from './kubernetes-plan.ts';

/** Prices of one region, of the spec or as AWS lists them. */
export type PriceTable = PricePlan;

/** Prices that were asked for on the day, as they are kept beside the results (`prices.json`). */
export interface PricesRecord {
  readonly format: 1;
  /** null = AWS did not say. */
  readonly prices: PriceTable | null;
  /** Where they are from, or why there are none, in one sentence. */
  readonly message: string;
}

/** Something that costs money while it is there. */
export type Billed = BilledInstances | BilledVolumes;

export interface BilledInstances {
  readonly kind: 'instance';
  readonly count: number;
  readonly type: string;
}

export interface BilledVolumes {
  readonly kind: 'volume';
  readonly count: number;
  readonly type: string;
  readonly sizeGiB: number;
  /** null = as the type has it. */
  readonly iops: number | null;
  readonly throughputMiBps: number | null;
}

/** What was there, and how long; `toMs` null = it still is. */
export type BilledSpan = Billed & { readonly fromMs: number; readonly toMs: number | null };

export interface CostItem {
  /** `3 × m5.xlarge`, `3 × 100 GiB gp3`. */
  readonly what: string;
  readonly hours: number;
  /** null = the table has no price for it. */
  readonly usd: number | null;
}

export interface Cost {
  readonly items: readonly CostItem[];
  /** Of the items that have a price. */
  readonly usd: number;
  /** Items without a price; the sum is a lower bound then. */
  readonly unpriced: readonly string[];
  readonly priceDate: string;
}

/** What monthly prices are divided by: a convention of planning, not a calendar. */
export const HOURS_A_MONTH = 730;
const HOUR_MS = 3_600_000;

/** What gp3 has without being paid for. */
const GP3 = { iops: 3_000, throughputMiBps: 125 } as const;

/** What no sum of ours holds; said wherever a sum is shown. */
export const NOT_INCLUDED: readonly string[] = [
  'the control plane of the cluster and its other nodes',
  'traffic between zones and out of the region, NAT and load balancers',
  'S3, CloudWatch requests, snapshots and logs',
  'time that a node stays before and after the experiment, and what else runs on it',
  'discounts, credits, taxes and the least time that is billed',
];

/** US dollars an hour of something; null where the table has no price of it. */
export function usdPerHour(billed: Billed, prices: PriceTable): number | null {
  if (billed.kind === 'instance') {
    const each = prices.usdPerHourByInstanceType[billed.type];
    return each === undefined ? null : each * billed.count;
  }
  const perGb = prices.usdPerGbMonthByVolumeType[billed.type];
  const extra = extraUsdPerMonth(billed, prices);
  if (perGb === undefined || extra === null) return null;
  return (billed.count * (billed.sizeGiB * perGb + extra)) / HOURS_A_MONTH;
}

/** IOPS and throughput of one volume beyond what is free; of gp3 only, others pay for them otherwise. */
function extraUsdPerMonth({ type, iops, throughputMiBps }: BilledVolumes, prices: PriceTable): number | null {
  if (type !== 'gp3') return iops !== null && /^io[12]$/.test(type) ? null : 0;
  const of = (amount: number, usd: number | null) => (amount <= 0 ? 0 : usd === null ? null : amount * usd);
  const [ops, rate] = [
    of((iops ?? 0) - GP3.iops, prices.usdPerIopsMonth),
    of((throughputMiBps ?? 0) - GP3.throughputMiBps, prices.usdPerMiBpsMonth),
  ];
  return ops === null || rate === null ? null : ops + rate;
}

/** What was there until now, or until it went. Used while it runs (accrued) and after it (attributed). */
export function costOf(spans: readonly BilledSpan[], prices: PriceTable, nowMs: number): Cost {
  return sumOf(
    spans.map((span) => itemOf(span, prices, Math.max(0, (span.toMs ?? nowMs) - span.fromMs) / HOUR_MS)),
    prices,
  );
}

/** What all of it costs for so many hours; before it is there. */
export function costFor(billed: readonly Billed[], prices: PriceTable, hours: number): Cost {
  return sumOf(
    billed.map((one) => itemOf(one, prices, hours)),
    prices,
  );
}

function itemOf(billed: Billed, prices: PriceTable, hours: number): CostItem {
  const rate = usdPerHour(billed, prices);
  return { what: nameOf(billed), hours, usd: rate === null ? null : rate * hours };
}

function sumOf(items: readonly CostItem[], { date }: PriceTable): Cost {
  return {
    items,
    usd: items.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    unpriced: [...new Set(items.filter(({ usd }) => usd === null).map(({ what }) => what))],
    priceDate: date,
  };
}

function nameOf(billed: Billed): string {
  if (billed.kind === 'instance') return `${billed.count} × ${billed.type}`;
  const extras = [
    ...(billed.iops !== null && billed.iops > GP3.iops ? [`${billed.iops} IOPS`] : []),
    ...(billed.throughputMiBps !== null && billed.throughputMiBps > GP3.throughputMiBps
      ? [`${billed.throughputMiBps} MiB/s`]
      : []),
  ];
  return [`${billed.count} × ${billed.sizeGiB} GiB ${billed.type}`, ...extras].join(', ');
}

export interface BudgetQuestion {
  /** `design.budget.usd`; null = no limit. */
  readonly limitUsd: number | null;
  readonly accrued: Cost;
  /** What everything that is there costs an hour. */
  readonly usdPerHour: number;
  readonly nextBlockMs: number;
  /** Export and teardown after it. */
  readonly afterwardsMs: number;
}

export interface BudgetAnswer {
  readonly enough: boolean;
  /** One sentence with the numbers. */
  readonly message: string;
}

/**
 * At the boundary of a block: whether the next one, and what has to follow it, stay within the budget. What has no price
 * counts as nothing, and is named, so that a limit is never believed to hold where it cannot be known.
 */
export function budgetHolds(question: BudgetQuestion): BudgetAnswer {
  const { limitUsd, accrued, nextBlockMs, afterwardsMs } = question;
  const ahead = (question.usdPerHour * (nextBlockMs + afterwardsMs)) / HOUR_MS;
  const blind = accrued.unpriced.length === 0 ? '' : `; without a price: ${accrued.unpriced.join(', ')}`;
  const spent = `about ${usdText(accrued.usd)} so far, ${usdText(ahead)} for the next block and the end`;
  if (limitUsd === null) return { enough: true, message: `${spent}; no budget is set${blind}` };
  const enough = accrued.usd + ahead <= limitUsd;
  const word = enough ? 'within' : 'above';
  return { enough, message: `${spent}: ${word} the ${usdText(limitUsd)} of design.budget.usd${blind}` };
}

/** `$0.614`, `$544.20`: three digits that count, at least cents. */
export function usdText(usd: number): string {
  if (usd === 0) return '$0';
  const decimals = Math.max(2, Math.min(6, 2 - Math.floor(Math.log10(Math.abs(usd)))));
  return `$${usd.toFixed(decimals)}`;
}
