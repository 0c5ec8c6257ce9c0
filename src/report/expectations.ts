import type { CapacityResult, ExpectationResult, GridPoint } from '../analysis/analysis.ts';
import { ratioText } from '../analysis/format.ts';
import { count, integer, number, percent } from './text.ts';

/** An expectation of the spec, as it is shown before everything else. */
export interface ExpectationView extends ExpectationResult {
  /** Told apart without colour too. */
  readonly sign: '✓' | '✗' | '?';
  /** `63.1 MiB/s (58.0 to 68.2), 6 blocks`; what is not known is said. */
  readonly figure: string;
}

export interface CapacityView extends CapacityResult {
  readonly rows: readonly { readonly rate: string; readonly passed: string; readonly probability: string }[];
}

const SIGNS: Readonly<Record<ExpectationResult['outcome'], ExpectationView['sign']>> = {
  passed: '✓',
  failed: '✗',
  inconclusive: '?',
};

export function expectationView(result: ExpectationResult): ExpectationView {
  return { ...result, sign: SIGNS[result.outcome], figure: figureOf(result) };
}

export function capacityView(result: CapacityResult): CapacityView {
  return { ...result, rows: result.points.map(rowOf) };
}

function figureOf({ estimate, interval, unit, n }: ExpectationResult): string {
  if (estimate === null) return `no estimate from ${count(n, 'block')}`;
  const show = shown(unit);
  const range =
    interval === null ? 'no interval' : `${show(interval.low).value} to ${show(interval.high).value}`;
  const { value, unit: name } = show(estimate);
  return `${value}${name === '' ? '' : ` ${name}`} (${range}), n ${n}`;
}

function shown(unit: ExpectationResult['unit']): (value: number) => { value: string; unit: string } {
  if (unit === 'ratio') return (value) => ({ value: ratioText(value), unit: '×' });
  if (unit === 'share') return (value) => ({ value: percent(value), unit: '' });
  if (unit === 'bytes/s') return (value) => ({ value: number(value / 2 ** 20), unit: 'MiB/s' });
  if (unit === 'records/s') return (value) => ({ value: integer(value), unit: 'records/s' });
  return (value) => ({ value: number(value), unit });
}

function rowOf({ recordsPerS, blocks, passed, probability }: GridPoint): CapacityView['rows'][number] {
  return {
    rate: integer(recordsPerS),
    passed: `${passed} of ${blocks}`,
    probability: probability === null ? '–' : percent(probability),
  };
}

/** A value of a metric in words, with its unit. */
export function metricText(unit: ExpectationResult['unit'], value: number): string {
  const { value: text, unit: name } = shown(unit)(value);
  return name === '' ? text : `${text} ${name}`;
}
