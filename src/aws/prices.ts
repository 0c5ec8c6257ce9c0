import { GetProductsCommand, type GetProductsCommandOutput, PricingClient } from '@aws-sdk/client-pricing';
import type { PriceTable } from '../design/cost.ts';
import { CLIENT_SETTINGS, renewable } from './clients.ts';
import { AwsError } from './errors.ts';
import { type Patience, patiently } from './patience.ts';

/** What a lab is made of, as far as it has a price. */
export interface Priced {
  readonly region: string;
  readonly instanceTypes: readonly string[];
  readonly volumeTypes: readonly string[];
}

const REQUEST = { service: 'Pricing', operation: 'GetProducts' } as const;
/** The Pricing API answers in few regions, for all of them. */
const ANSWERS_IN = 'us-east-1';

type Filters = Readonly<Record<string, string>>;

/**
 * Looks up what AWS lists on the day: on demand, Linux, shared tenancy. A type that is not listed in the region is left out of
 * the table, so it stays "no price", never 0.
 *
 * @param date of the table, `2026-09-02`: the API says what holds now.
 * @throws AwsError; `other` when the list has several prices where one is meant.
 */
export async function lookUpPrices(priced: Priced, date: string, patience: Patience): Promise<PriceTable> {
  const client = renewable(() => new PricingClient({ ...CLIENT_SETTINGS, region: ANSWERS_IN }));
  const products = async (filters: Filters): Promise<readonly Product[]> => {
    const found: Product[] = [];
    let next: string | undefined;
    do {
      const command = commandFor({ ...filters, regionCode: priced.region }, next);
      const page: GetProductsCommandOutput = await patiently(
        REQUEST,
        () => client.get().send(command),
        patience,
        client.renew,
      );
      found.push(...(page.PriceList ?? []).map((text: unknown) => JSON.parse(String(text)) as Product));
      next = page.NextToken === '' ? undefined : page.NextToken;
    } while (next !== undefined);
    // Believed only of the region that was asked for, whatever the filter did.
    return found.filter(({ product }) => product.attributes['regionCode'] === priced.region);
  };
  try {
    const instances = await listed(priced.instanceTypes, async (type) =>
      onePrice(await products({ ...ON_DEMAND, instanceType: type }), 'Hrs', type),
    );
    const volumes = await listed(priced.volumeTypes, async (type) =>
      onePrice(await products({ productFamily: 'Storage', volumeApiName: type }), 'GB-Mo', type),
    );
    const extras = priced.volumeTypes.includes('gp3') ? await gp3Extras(products) : NO_EXTRAS;
    return { date, usdPerHourByInstanceType: instances, usdPerGbMonthByVolumeType: volumes, ...extras };
  } finally {
    client.renew();
  }
}

const ON_DEMAND: Filters = {
  operatingSystem: 'Linux',
  tenancy: 'Shared',
  preInstalledSw: 'NA',
  capacitystatus: 'Used',
  licenseModel: 'No License required',
};

const NO_EXTRAS = { usdPerIopsMonth: null, usdPerMiBpsMonth: null } as const;

/** IOPS are listed by the IOPS, throughput by the GiB/s. */
async function gp3Extras(products: (filters: Filters) => Promise<readonly Product[]>) {
  const gp3 = { volumeApiName: 'gp3' };
  const iops = await products({ ...gp3, productFamily: 'System Operation' });
  const throughput = await products({ ...gp3, productFamily: 'Provisioned Throughput' });
  const perGiBps = onePrice(throughput, 'GiBps-mo', 'throughput of gp3');
  return {
    usdPerIopsMonth: onePrice(iops, 'IOPS-Mo', 'IOPS of gp3'),
    usdPerMiBpsMonth: perGiBps === null ? null : perGiBps / 1_024,
  };
}

async function listed(
  types: readonly string[],
  priceOf: (type: string) => Promise<number | null>,
): Promise<Readonly<Record<string, number>>> {
  const prices: Record<string, number> = {};
  for (const type of new Set(types)) {
    const price = await priceOf(type);
    if (price !== null) prices[type] = price;
  }
  return prices;
}

function commandFor(filters: Filters, token: string | undefined): GetProductsCommand {
  return new GetProductsCommand({
    ServiceCode: 'AmazonEC2',
    FormatVersion: 'aws_v1',
    Filters: Object.entries(filters).map(([Field, Value]) => ({ Type: 'TERM_MATCH', Field, Value })),
    ...(token === undefined ? {} : { NextToken: token }),
  });
}

/** One entry of the price list, as far as we read it. */
interface Product {
  readonly product: { readonly attributes: Readonly<Record<string, string>> };
  readonly terms: {
    readonly OnDemand?: Readonly<
      Record<string, { readonly priceDimensions: Readonly<Record<string, PriceDimension>> }>
    >;
  };
}

interface PriceDimension {
  readonly unit: string;
  readonly beginRange?: string;
  readonly pricePerUnit: Readonly<Record<string, string>>;
}

/** The price in a unit; null when there is none. Two different ones mean that the filters do not name one thing. */
function onePrice(products: readonly Product[], unit: string, what: string): number | null {
  const prices = products
    .flatMap(({ terms }) => Object.values(terms.OnDemand ?? {}))
    .flatMap(({ priceDimensions }) => Object.values(priceDimensions))
    .filter((dimension) => dimension.unit.toLowerCase() === unit.toLowerCase())
    .map(({ pricePerUnit }) => Number(pricePerUnit['USD']))
    .filter((usd) => Number.isFinite(usd) && usd > 0);
  const [price = null, ...others] = new Set(prices);
  if (others.length === 0) return price;
  throw new AwsError('other', REQUEST, '', `it lists ${others.length + 1} prices for ${what} (${unit})`);
}
