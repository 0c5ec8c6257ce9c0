import { CloudWatchClient, GetMetricDataCommand, type GetMetricDataOutput } from '@aws-sdk/client-cloudwatch';
import type { CloudWatchRecord, MetricSeries, TimeSpan } from '../measure/cloudwatch.ts';
import { type AwsSite, CLIENT_SETTINGS, renewable } from './clients.ts';
import { AwsError } from './errors.ts';
import { agree, mergePages, type PageResult, reachesEnd } from './merge-pages.ts';
import {
  asDataQuery,
  gridAround,
  inRequests,
  type MetricQuery,
  queriesFor,
  type Watched,
} from './metric-queries.ts';
import { type Patience, patiently, wait } from './patience.ts';

/** Reads metrics of one region. */
export interface CloudWatch {
  /**
   * Every series once, over all pages. What CloudWatch could not give (InternalError) or not give whole (PartialData) is
   * asked for again, `AGAIN` times; what is then still missing is marked partial.
   * @throws AwsError
   */
  read(queries: readonly MetricQuery[], window: TimeSpan, patience: Patience): Promise<Read>;
  close(): void;
}

export interface Read {
  readonly series: readonly MetricSeries[];
  /** What CloudWatch said beside the data, such as MaxMetricsExceeded. */
  readonly messages: readonly string[];
}

const REQUEST = { service: 'CloudWatch', operation: 'GetMetricData' } as const;
const AGAIN = 5;
const AGAIN_AFTER_MS = 2_000;
/** No window of an experiment has more: 500 series of a day at one point a minute are eight. */
const MOST_PAGES = 1_000;

/** Opens nothing yet; endpoint and credentials come from the environment, as the SDK reads it. */
export function createCloudWatch(site: AwsSite): CloudWatch {
  const client = renewable(() => new CloudWatchClient({ ...CLIENT_SETTINGS, region: site.region }));

  async function pagesOf(queries: readonly MetricQuery[], window: TimeSpan, patience: Patience) {
    const [pages, messages]: [PageResult[][], string[]] = [[], []];
    let next: string | undefined;
    do {
      if (pages.length === MOST_PAGES)
        throw new AwsError('server', REQUEST, '', `it gives page after page (${MOST_PAGES})`);
      const page: GetMetricDataOutput = await patiently(
        REQUEST,
        () => client.get().send(commandFor(queries, window, next), { ...signalOf(patience) }),
        patience,
        client.renew,
      );
      pages.push((page.MetricDataResults ?? []).map(asPageResult));
      messages.push(...(page.Messages ?? []).map(({ Code, Value }) => `${Code ?? ''}: ${Value ?? ''}`));
      next = page.NextToken === '' ? undefined : page.NextToken;
    } while (next !== undefined);
    return { pages, messages };
  }

  return {
    async read(queries, window, patience) {
      const messages = new Set<string>();
      let missing = queries;
      const found = new Map<string, MetricSeries>();
      for (let tries = 0; ; tries++) {
        for (const request of inRequests(missing)) {
          const read = await pagesOf(request, window, patience);
          for (const message of read.messages) messages.add(message);
          const merged = mergePages(request, read.pages, window);
          for (const [i, { queryId }] of request.entries()) keepFuller(found, queryId, merged[i]);
        }
        missing = queries.filter(({ queryId }) => found.get(queryId)?.completeness === 'partial');
        if (missing.length === 0 || tries === AGAIN) break;
        const text = `CloudWatch has not given ${missing.length} of ${queries.length} series whole; asking again`;
        await wait(patience, AGAIN_AFTER_MS * 2 ** tries, text);
      }
      return { series: queries.flatMap(({ queryId }) => found.get(queryId) ?? []), messages: [...messages] };
    },
    close: () => client.renew(),
  };
}

/** A second try that gives less than the first, and not whole either, takes nothing away. */
function keepFuller(
  found: Map<string, MetricSeries>,
  queryId: string,
  series: MetricSeries | undefined,
): void {
  if (series === undefined) return;
  const before = found.get(queryId);
  const fewer = before !== undefined && series.points.length < before.points.length;
  if (!(series.completeness === 'partial' && fewer)) found.set(queryId, series);
}

function commandFor(queries: readonly MetricQuery[], window: TimeSpan, token: string | undefined) {
  return new GetMetricDataCommand({
    MetricDataQueries: queries.map(asDataQuery),
    StartTime: new Date(window.fromMs),
    EndTime: new Date(window.toMs),
    ScanBy: 'TimestampAscending',
    ...(token === undefined ? {} : { NextToken: token }),
  });
}

function asPageResult(result: NonNullable<GetMetricDataOutput['MetricDataResults']>[number]): PageResult {
  const { Id = '', StatusCode = '', Timestamps = [], Values = [] } = result;
  return { queryId: Id, status: StatusCode, startsMs: Timestamps.map((at) => at.getTime()), values: Values };
}

function signalOf({ signal }: Patience): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}

/** When late points are waited for, and until when. */
export interface Lateness {
  readonly againAfterMs: number;
  /** After the end of the window two reads that agree are believed, although the last minute has no points. */
  readonly quietAfterMs: number;
  /** After the end of the window what is there is taken, as provisional. */
  readonly limitMs: number;
}

export const LATENESS: Lateness = { againAfterMs: 60_000, quietAfterMs: 15 * 60_000, limitMs: 25 * 60_000 };

/** After this age CloudWatch keeps five-minute points only, without saying so. */
const COARSE_AFTER_MS = 15 * 24 * 60 * 60_000;

/**
 * Reads until what is read is believed: points arrive minutes late, so two reads in a row must agree, and the last
 * minute must be there (or time enough have passed). Otherwise the record is provisional.
 *
 * @param span from the first trial's start to the last trial's end.
 * @throws AwsError when CloudWatch cannot be read at all.
 */
export async function collectMetrics(
  cloudWatch: CloudWatch,
  asked: { readonly region: string; readonly watched: Watched; readonly span: TimeSpan },
  patience: Patience,
  lateness: Lateness = LATENESS,
  nowMs: () => number = Date.now,
): Promise<CloudWatchRecord> {
  const queries = queriesFor(asked.watched);
  const window = gridAround(asked.span);
  const messages = new Set<string>();
  let before: readonly MetricSeries[] | null = null;
  for (let reads = 1; ; reads++) {
    const readAtMs = nowMs();
    const { series, messages: said } = await cloudWatch.read(queries, window, patience);
    for (const message of said) messages.add(message);
    const ageMs = readAtMs - asked.span.toMs;
    const whole = reachesEnd(series, asked.span.toMs) || ageMs >= lateness.quietAfterMs;
    const agreed = before !== null && agree(before, series);
    // Whoever asks so late gets what there will ever be.
    const old = reads === 1 && ageMs >= lateness.limitMs;
    const stable =
      (old || (agreed && whole)) && series.every(({ completeness }) => completeness !== 'partial');
    if (stable || queries.length === 0 || ageMs + lateness.againAfterMs > lateness.limitMs) {
      const state = stable || queries.length === 0 ? 'stable' : 'provisional';
      const notes = [...notesOn(series, readAtMs - window.fromMs), ...messages];
      const readAt = new Date(readAtMs).toISOString();
      return { format: 1, region: asked.region, window, readAt, reads, state, series, notes };
    }
    before = series;
    await wait(
      patience,
      lateness.againAfterMs,
      `CloudWatch: read ${reads} times; late points may still arrive`,
    );
  }
}

function notesOn(series: readonly MetricSeries[], ageMs: number): readonly string[] {
  const coarse = series.filter(({ spacingS, periodS }) => spacingS !== null && spacingS > periodS);
  const named = [...new Set(coarse.map(({ id, metric }) => `${metric} of ${id}`))];
  const forbidden = series.filter(({ completeness }) => completeness === 'forbidden').length;
  return [
    ...(named.length > 0 ? [`Points are wider apart than asked for: ${named.join(', ')}.`] : []),
    ...(forbidden > 0
      ? [`CloudWatch refused ${forbidden} series: cloudwatch:GetMetricData is missing.`]
      : []),
    ...(ageMs > COARSE_AFTER_MS
      ? ['The experiment began more than 15 days ago: CloudWatch keeps one-minute points no longer.']
      : []),
  ];
}
