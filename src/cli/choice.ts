import { InvalidArgumentError } from '@commander-js/extra-typings';
import { suggestion } from '../spec/did-you-mean.ts';

/**
 * Reads one of a few words, in capitals or not. `hints` names the word that other words speak of (`lz4` → `codec`).
 *
 * @throws InvalidArgumentError, which commander tells the user with the argument's name.
 */
export function oneOf<T extends string>(
  choices: readonly T[],
  hints: Readonly<Record<string, T>> = {},
): (text: string) => T {
  return (text) => {
    const wanted = text.toLowerCase();
    const found = choices.find((choice) => choice === wanted);
    if (found !== undefined) return found;
    const hint = Object.hasOwn(hints, wanted) ? hints[wanted] : undefined;
    const near = hint === undefined ? suggestion(text, choices) : `Did you mean "${hint}"?`;
    const all = `Allowed choices are ${choices.join(', ')}.`;
    throw new InvalidArgumentError(near.startsWith('Did you mean') ? `${near} ${all}` : all);
  };
}
