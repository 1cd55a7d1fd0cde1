// Texts to ids by a model that was just learned, to compare vocabularies before any file is written.
import { byteCharacters } from './byte-alphabet.js';
import { createWordSplitter } from './split-words.js';
import type { BpeModel } from './train-bpe.js';

/** Gives the ids that every reader of the model's files gives; special tokens in a text are matched. */
export function createEncoder({ tokens, specials, merges }: BpeModel): (text: string) => number[] {
  const split = createWordSplitter(specials);
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const ranks = new Map(merges.map((merge, rank) => [merge.join(' '), rank]));
  const known = new Map(specials.map(special => [special, [ids.get(special)!]]));

  function encodeWord(word: string): number[] {
    const found = known.get(word);
    if (found) return found;
    const parts = joinByRank(toCharacters(word), ranks);
    const encoded = parts.map(part => ids.get(part)!);
    known.set(word, encoded);
    return encoded;
  }

  return text => split(text).flatMap(encodeWord);
}

/** How many tokens the model writes a word with, words being what spaces part. 1 would be the best. */
export function tokensPerWord(model: BpeModel, texts: Iterable<string>): number {
  const encode = createEncoder(model);
  let tokens = 0;
  let words = 0;
  for (const text of texts) {
    tokens += encode(text).length;
    words += text.match(/\S+/g)?.length ?? 0;
  }
  return tokens / words;
}

const utf8 = new TextEncoder();

const toCharacters = (word: string) => Array.from(utf8.encode(word), byte => byteCharacters[byte]!);

/** Joins the pair that was learned first, at its first place, until none is left that was learned. */
function joinByRank(parts: string[], ranks: ReadonlyMap<string, number>): string[] {
  for (;;) {
    let best = Number.POSITIVE_INFINITY;
    let place = 0;
    for (let at = 1; at < parts.length; at++) {
      const rank = ranks.get(`${parts[at - 1]} ${parts[at]}`) ?? best;
      if (rank < best) [best, place] = [rank, at];
    }
    if (place === 0) return parts;
    parts.splice(place - 1, 2, parts[place - 1]! + parts[place]!);
  }
}
