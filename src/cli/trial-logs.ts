import { suggestion } from '../spec/did-you-mean.ts';
import { visible } from '../spec/visible.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';
import type { AttemptFiles } from './trial-files.ts';

export interface LogOptions {
  readonly load?: string | undefined;
  readonly stdout?: true | undefined;
  readonly stderr?: true | undefined;
  readonly samples?: true | undefined;
}

const SAMPLES = /^sampler(-\d+)?\.jsonl$/;

/**
 * Names of the raw files that were asked for: both streams of every load unless told otherwise.
 *
 * @throws CommandFailure for a load that the attempt does not have, and when there is no such file.
 */
export function chooseFiles({ id, files }: AttemptFiles, options: LogOptions): string[] {
  const { load, samples } = options;
  const loads = [...new Set(files.flatMap((name) => /^(.+)\.(?:stdout|stderr)$/.exec(name)?.[1] ?? []))];
  if (load !== undefined && !loads.includes(load)) {
    const near = suggestion(load, loads);
    throw new CommandFailure(
      EXIT.usage,
      `${id} has no load ${JSON.stringify(load)}.${near === '' ? '' : ` ${near}`}`,
    );
  }
  const both = !options.stdout && !options.stderr && !samples;
  const streams = [
    ...(both || options.stdout ? ['stdout'] : []),
    ...(both || options.stderr ? ['stderr'] : []),
  ];
  const wanted = (load === undefined ? loads : [load]).flatMap((name) =>
    streams.map((stream) => `${name}.${stream}`),
  );
  const chosen = [
    ...wanted.filter((name) => files.includes(name)),
    ...(samples ? files.filter((name) => SAMPLES.test(name)) : []),
  ];
  if (chosen.length > 0) return chosen;
  throw new CommandFailure(EXIT.usage, `${id} has no such file; there are ${files.join(', ')}.`);
}

/** Raw text for a terminal: escapes and other control characters written out, tabs and line ends kept; ends with a newline. */
export function shownText(raw: string): string {
  const lines = raw.split('\n').map((line) => line.split('\t').map(visible).join('\t'));
  const text = lines.join('\n');
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
