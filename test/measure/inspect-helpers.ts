import type { Inspection, InspectOptions } from '../../src/measure/inspect.ts';
import { inspect } from '../../src/measure/inspect.ts';
import { inspector } from '../../src/measure/inspect-lines.ts';

/** Judges a capture given as bytes or text, cut into pieces where `cuts` says. */
export function inspectText(
  capture: Uint8Array | string,
  options: Partial<InspectOptions> = {},
  cuts: readonly number[] = [],
): Inspection {
  const bytes = typeof capture === 'string' ? Buffer.from(capture) : capture;
  const reader = inspector();
  let from = 0;
  for (const cut of [...cuts].filter((at) => at < bytes.length).sort((a, b) => a - b)) {
    reader.push(bytes.subarray(from, cut));
    from = cut;
  }
  reader.push(bytes.subarray(from));
  return inspect('x.txt', reader.end(), { asked: null, askedRecordsPerS: null, stderr: null, ...options });
}
