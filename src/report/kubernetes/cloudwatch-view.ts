import type { CloudWatchRecord } from '../../measure/cloudwatch.ts';
import type { Results } from '../results.ts';
import { moment } from '../text.ts';

/** How far CloudWatch can be believed in these results. */
export interface CloudWatchView {
  readonly state: CloudWatchRecord['state'] | 'not-read';
  /** One sentence. */
  readonly text: string;
  /** What else has to be known, in whole sentences. */
  readonly notes: readonly string[];
}

export function cloudWatchView({ plan, metrics }: Results): CloudWatchView {
  if (metrics === null)
    return { state: 'not-read', text: notRead(plan.lab.kubernetes?.region ?? null), notes: [] };
  const { state, readAt, reads } = metrics;
  const when = `${reads === 1 ? 'read once,' : `read ${reads} times, last`} ${moment(readAt)}`;
  const text =
    state === 'stable'
      ? `CloudWatch, ${when}: stable.`
      : `CloudWatch, ${when}: PROVISIONAL. Points may have been on their way still; what is empty here may exist, and figures may change.`;
  return { state, text, notes: [...metrics.notes, ...partialNotes(metrics)] };
}

function notRead(region: string | null): string {
  return region === null
    ? 'CloudWatch was not read: the region is not known (lab.kubernetes.region). Its figures are empty, not 0.'
    : 'CloudWatch has not been read (there is no cloudwatch.json). Its figures are empty, not 0.';
}

function partialNotes({ series }: CloudWatchRecord): readonly string[] {
  const partial = series.filter(({ completeness }) => completeness === 'partial');
  if (partial.length === 0) return [];
  const names = partial.map(({ metric, id }) => `${metric} of ${id}`).join(', ');
  return [`CloudWatch did not give ${names} whole: what is missing lowers the coverage.`];
}
