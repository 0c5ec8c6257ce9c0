import type { BlockStrip, StripCell } from '../temporal/status.ts';

const SIGNS: Readonly<Record<StripCell['state'], string>> = {
  waiting: '·',
  running: '▶',
  valid: '✓',
  void: '✗',
  skipped: '–',
};

/**
 * The order of a block as one line: `block 2 of 6  ✓ batch=64KiB  ▶ batch=4KiB`; signs alone, with the running one named,
 * where the names do not fit.
 */
export function stripLine(strip: BlockStrip, columns: number): string {
  const head = strip.pass === null ? `block ${strip.block} of ${strip.of}` : `warm-up pass ${strip.pass}`;
  const named = [head, ...strip.cells.map((cell) => `${SIGNS[cell.state]} ${cellName(cell)}`)].join('  ');
  if (named.length <= columns) return named;
  const running = strip.cells.find((cell) => cell.state === 'running');
  const signs = strip.cells.map((cell) => SIGNS[cell.state]).join('');
  return [head, signs, ...(running === undefined ? [] : [cellName(running)])].join('  ');
}

function cellName({ scenario, attempt }: StripCell): string {
  return attempt === 1 ? scenario : `${scenario} (attempt ${attempt})`;
}
