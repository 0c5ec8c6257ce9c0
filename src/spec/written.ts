/** How a value with a unit is written; the key `writtenAs` of a schema's metadata. */
export type Written = keyof typeof WRITTEN;

const NUMBER = String.raw`\d[\d_]*(\.\d+)?\s*`;
const SIZE = '(B|KiB|MiB|GiB)';

interface Form {
  /** What it is called in the reference page. */
  readonly name: string;
  /** What its text must look like: everything that src/spec/units.ts reads, perhaps a little more. */
  readonly pattern: string;
  /** Whether a bare number is right too. */
  readonly bare: boolean;
}

export const WRITTEN = {
  time: { name: 'time', pattern: `^${NUMBER}(ms|s|m|h)$`, bare: false },
  size: { name: 'size', pattern: `^${NUMBER}${SIZE}$`, bare: false },
  count: { name: 'count', pattern: `^${NUMBER}[kM]?$`, bare: true },
  rate: {
    name: 'rate',
    pattern: String.raw`^(max|${NUMBER}(k|M|B|KiB|MiB|GiB)?\s*/\s*s)$`,
    bare: false,
  },
  byteRate: { name: 'bytes per second', pattern: String.raw`^${NUMBER}${SIZE}\s*/\s*s$`, bare: false },
  share: { name: 'share', pattern: String.raw`^\d+(\.\d+)?\s*%$`, bare: false },
  bound: {
    name: 'rate, time, share or ratio',
    pattern: String.raw`^${NUMBER}(%|(ms|s|m|h)|(k|M|B|KiB|MiB|GiB)?\s*/\s*s)?$`,
    bare: true,
  },
} as const satisfies Readonly<Record<string, Form>>;
