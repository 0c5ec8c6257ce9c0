/** What is known of records; the section `payload` in its parts that say how large they are. */
interface Sized {
  readonly json?: { readonly size: number } | undefined;
  readonly random?: { readonly size: number } | undefined;
  readonly file?: string | { readonly bytes: number; readonly lines: number } | undefined;
}

/** The smallest record that holds a whole log line (time, level, service and a message), in bytes. */
export const SMALLEST_LINE_BYTES = 96;

/** Bytes of a record that are filled with `x`: the padding share of the whole record, rounded. */
export function paddingBytes(recordBytes: number, padding: number): number {
  return Math.round(recordBytes * padding);
}
/** Padding is a field of its own, `,"pad":""`. */
export const PADDING_FIELD_BYTES = 9;

/** What is wrong with a size and a padding that leave no room for a log line; null when they fit. */
export function payloadTooSmall(recordBytes: number, padding: number): string | null {
  const pad = paddingBytes(recordBytes, padding);
  const room = recordBytes - pad - (pad > 0 ? PADDING_FIELD_BYTES : 0);
  if (room >= SMALLEST_LINE_BYTES) return null;
  const fix =
    pad > 0 ? 'Make size larger or padding smaller.' : `Make size at least ${SMALLEST_LINE_BYTES}B.`;
  return `A JSON log line needs ${SMALLEST_LINE_BYTES} B; ${recordBytes} B with ${Math.round(padding * 1000) / 10} % padding leave ${Math.max(0, room)} B. ${fix}`;
}

/** Mean bytes of a record without its newline; null for a file that has not been read yet. */
export function recordBytesOf(payload: Sized): number | null {
  if (payload.json !== undefined) return payload.json.size;
  if (payload.random !== undefined) return payload.random.size;
  if (payload.file === undefined || typeof payload.file === 'string') return null;
  // Each line but perhaps the last ends with a newline, which is not sent.
  return (payload.file.bytes - payload.file.lines) / payload.file.lines;
}
