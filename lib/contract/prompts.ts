// Texts as the completions and embeddings formats take them: one or several, each as a string or as its tokens.
import * as z from 'zod/mini';
import { glance } from './bounded.js';

const text = z.string();
const tokenIds = z.array(z.int().check(z.gte(0), z.lte(2 ** 31 - 1)));

/** A text, or its tokens. */
export type PromptInput = string | readonly number[];

/** More would not be of use, but block every other caller while they are read. */
const MOST_TOKENS = 65_536;

/** At most this many texts. Tokens come first, since a list of numbers is where another reading costs most. */
export function prompts(most: number) {
  const any = z.union([text, tokenIds, z.array(text), z.array(tokenIds)]);
  return glance(any, (given, refuse) => {
    const [first] = given;
    const isOne = typeof first === 'number';
    const tokens = isOne ? [given] : given.filter(Array.isArray);
    const count = tokens.reduce((sum, ids) => sum + ids.length, 0);
    const isMixed = isOne ? !given.every(Number.isInteger) : given.some(one => typeof one !== typeof first);
    if (given.length === 0) refuse(custom('must not be empty'));
    else if (!isOne && given.length > most) refuse(custom(`must have at most ${most} texts`));
    else if (count > MOST_TOKENS)
      refuse(custom(`must have at most ${MOST_TOKENS.toLocaleString('en')} tokens`));
    else if (isMixed || !tokens.every(ids => ids.every(Number.isInteger)))
      refuse(custom('must have only strings, only whole numbers, or only lists of whole numbers'));
  });
}

export const tokenList = glance(tokenIds, (given, refuse) => {
  if (given.length > MOST_TOKENS)
    refuse(custom(`must have at most ${MOST_TOKENS.toLocaleString('en')} tokens`));
  else if (!given.every(Number.isInteger)) refuse(custom('must have only whole numbers'));
});

const custom = (message: string) => ({ code: 'custom', message, input: undefined }) as const;

export function toPromptList(
  given: string | readonly number[] | readonly string[] | readonly (readonly number[])[],
): PromptInput[] {
  if (typeof given === 'string') return [given];
  return typeof given[0] === 'number' ? [given as readonly number[]] : [...(given as readonly PromptInput[])];
}
