const ESC = '\u001B';
const NUL = '\u0000';
/** Colours and other terminal sequences. */
const ANSI = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)|[()][0-9A-Z]|[=>78cDEHMNOZ])`,
  'g',
);
const UNUSUAL = /[^\t\x20-\x7E]/;
/** Marks of writing direction, byte order marks and NULs that a rotated file leaves: no part of what was printed. */
const INVISIBLE = new RegExp(
  `[${NUL}\\u200B\\u200E\\u200F\\u061C\\u202A-\\u202E\\u2066-\\u2069\\uFEFF]`,
  'g',
);
/** Kafka's tools never group digits; programs through which a log went do, with these, which separate nothing else. */
const GROUPS = /(?<=\d)[\u00A0\u202F\u2009\u2019\u066C](?=\d{3}(?!\d))/g;

/**
 * A line in plain characters: no colours, no marks, the digits of any script as 0–9 (Java prints those of its locale),
 * the Arabic decimal sign as a point.
 */
export function plainText(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return text
    .replace(ANSI, '')
    .replace(INVISIBLE, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/(?<=\d)\u066B(?=\d)/g, '.')
    .replace(/\u2212(?=\d)/g, '-')
    .replace(GROUPS, '')
    .replace(/[\u00A0\u202F\u2009]/g, ' ');
}

/** Unicode keeps the ten digits of a script side by side. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  if (code < 128) return digit;
  let value = 0;
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

const DAY = '\\d{4}-\\d\\d-\\d\\d';
const CLOCK = '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?';
const ZONE = '(?: ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d))?';
const NAME = '[A-Za-z0-9][\\w./-]{0,120}';
/** When a line was written, as docker, kubectl, `ts`, CI systems and our own capsules put it before the line. */
const STAMP = new RegExp(
  `^(?:\\[?(?:${DAY}[T ])?${CLOCK}${ZONE}\\]?:?|\\d{10}[.,]\\d{3,9}(?: \\d{1,12}[.,]\\d{2})?)(?: (?:stdout|stderr) [FP])?[ \\t]+`,
);
/** Which process wrote it: syslog, docker compose, kubectl --prefix; and a quotation in Markdown. */
const SENDERS = [
  /^(?:> ?){1,5}/,
  new RegExp(`^[A-Z][a-z]{2} [ \\d]\\d ${CLOCK} (?:(${NAME}) ([\\w./-]+\\[\\d+\\]): )?`),
  new RegExp(`^(${NAME})\\s*\\| ?`),
  new RegExp(`^\\[((?:pod/)?${NAME})\\] `),
];

export interface Unprefixed {
  readonly text: string;
  /** '' without a prefix, `time` for one of times only, else with the names in it. */
  readonly source: string;
}

/** Takes what collectors of logs put before a line off it. Levels like INFO are no such prefix: they are a log's own. */
export function unprefixed(line: string): Unprefixed {
  let text = jsonText(line) ?? line.trim();
  let source = text === line.trim() ? '' : 'time';
  for (let parts = 0; parts < 4; parts += 1) {
    const stamp = STAMP.exec(text);
    if (stamp !== null) {
      text = text.slice(stamp[0].length);
      source ||= 'time';
      if (/^\d+ (?:records|steady) /.test(text)) break;
      continue;
    }
    const sender = SENDERS.map((pattern) => pattern.exec(text)).find((found) => found !== null);
    if (sender === undefined) break;
    text = text.slice(sender[0].length);
    const name = sender.slice(1).filter(Boolean).join(' ');
    if (name !== '') source = source === '' || source === 'time' ? name : `${source} ${name}`;
    else source ||= 'time';
  }
  return { text: text.trim(), source };
}

/** Keys under which collectors keep the line itself: docker, fluentd, structured loggers, journalctl, Google Cloud. */
const TEXT_KEYS = ['log', 'message', 'msg', 'MESSAGE', 'textPayload'];

/** The text in a line of JSON: `{"log":"…\n","stream":"stdout","time":"…"}`. */
function jsonText(line: string): string | null {
  if (!line.startsWith('{"')) return null;
  try {
    const fields = JSON.parse(line) as Record<string, unknown>;
    const text = TEXT_KEYS.map((key) => fields[key]).find((value) => typeof value === 'string');
    return text === undefined ? null : plainText(text.trim());
  } catch {
    return null;
  }
}
