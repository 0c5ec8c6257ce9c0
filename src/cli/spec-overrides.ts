import type { Overrides, Setting } from '../spec/overrides.ts';
import { readValue } from '../spec/read-yaml.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';
import type { SpecOptions } from './spec-options.ts';
import { shellWord } from './words.ts';

/** More is no setting but a file; fragments are there for that. */
const MAX_SETTING = 1_900;

/**
 * What the options change.
 *
 * @throws CommandFailure for settings that cannot be read, all of them at once.
 */
export function overridesOf({ set, only, blocks, smoke }: SpecOptions): Overrides {
  const read = set.map(settingOf);
  const wrong = read.filter((one) => typeof one === 'string');
  if (wrong.length > 0) throw new CommandFailure(EXIT.usage, `${wrong.join('\n')}\nNothing was started.`);
  return {
    sets: read.filter((one) => typeof one !== 'string'),
    only,
    blocks: blocks ?? null,
    smoke: smoke === true,
  };
}

/** `path=value`, the value read as YAML; or what is wrong with it. */
function settingOf(text: string): Setting | string {
  const at = text.indexOf('=');
  const path = text.slice(0, at).trim();
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  if (at < 0 || path === '') return `--set ${shown}: write path=value, e.g. --set topics.main.partitions=12.`;
  if (text.length > MAX_SETTING)
    return `--set ${shown}: this is longer than ${MAX_SETTING} characters; write it into a file and name that in extends.`;
  const read = readValue(text.slice(at + 1));
  if (read.ok) return { text, path, value: read.value };
  return `--set ${shown}: ${read.message}${text.slice(at + 1).trim() === '' ? ' Write null to take a setting out.' : ''}`;
}

/** The file and the options again, as words of a shell. */
export function specWords(file: string, { set, only, blocks, smoke, doc }: SpecOptions): string {
  return [
    shellWord(file),
    ...(doc === undefined ? [] : [`--doc ${shellWord(doc)}`]),
    ...set.map((text) => `--set ${shellWord(text)}`),
    ...only.map((scenario) => `--only ${shellWord(scenario)}`),
    ...(blocks === undefined ? [] : [`--blocks ${blocks}`]),
    ...(smoke ? ['--smoke'] : []),
  ].join(' ');
}
