import type { Plan, Range } from '../design/plan.ts';
import { percent } from './plan-questions.ts';
import { bytesText, durationText } from './words.ts';

/** What a plan takes and what it can show, one fact a line. Pure. */
export function estimateLines({ estimates, lab }: Plan): readonly string[] {
  const { trials, durationMs, writtenBytes, writtenBytesLimit, peakDiskBytes, precision } = estimates;
  return [
    `trials: ${trials}`,
    `time: ${rangeText(durationMs, durationText)}`,
    `written to disk: ${rangeText(writtenBytes, bytesText)}${writtenBytesLimit === null ? '' : `, never more than ${bytesText(writtenBytesLimit)}`}`,
    `on disk at one time: at most ${bytesText(peakDiskBytes)}`,
    `cost: ${lab.target === 'local' ? 'none, the lab is this machine' : 'not known'}`,
    ...precision.map(
      ({ sd, halfWidth, detectable }) =>
        `if blocks vary by ${percent(sd, 2)}: intervals of ± ${percent(halfWidth, 2)}, effects from ${percent(detectable, 2)} are seen`,
    ),
  ];
}

function rangeText({ low, high }: Range, text: (value: number) => string): string {
  return text(low) === text(high) ? `about ${text(low)}` : `${text(low)} to ${text(high)}`;
}
