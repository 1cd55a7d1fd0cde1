// Encodes texts with a model that was just learned, to compare vocabularies before writing any file.
import { byteCharacters } from './byte-alphabet.js';
import { createWordSplitter } from './split-words.js';
import type { BpeModel } from './train-bpe.js';

/** The same ids that every reader of the model's files returns. Special tokens in a text are recognized. */
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

/** Tokens per word, where spaces separate words. 1 is ideal. */
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

/** Merges the earliest learned pair, leftmost first, until no learned pair is left. */
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
