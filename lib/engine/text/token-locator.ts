// Finds the token at which a character of a text begins, without offsets from the tokenizer: the tokens of a text's
// beginning are together as long as the tokens of the whole up to there, wherever merges cross the cut.
import { anyOf } from './any-of.js';
import type { Tokenizer, Tokens } from './tokenizer.js';

/** Gives, for an offset in the text, the index of the first token that begins there or later. */
export type TokenLocator = (offset: number) => number;

interface Marker {
  readonly start: number;
  readonly end: number;
  readonly token: number;
}

export function createTokenLocator(tokenizer: Tokenizer, text: string, { tokens }: Tokens): TokenLocator {
  const starts = [0];
  for (const token of tokens) starts.push(starts.at(-1)! + token.length);
  const markers = findMarkers(tokenizer, text, tokens);

  return offset => {
    const next = markers.find(({ start }) => start >= offset);
    if (next?.start === offset) return next.token;
    // Only what lies between the last marker and the offset has to be tokenized once more.
    const last = markers.findLast(({ end }) => end <= offset);
    const piece = tokenizer.tokenize(text.slice(last?.start ?? 0, offset)).tokens;
    const position = starts[last?.token ?? 0]! + piece.reduce((sum, token) => sum + token.length, 0);
    return Math.min(lowerBound(starts, position), next?.token ?? tokens.length);
  };
}

/** The added tokens in the text, which nothing merges with. */
function findMarkers({ vocabulary }: Tokenizer, text: string, tokens: readonly string[]): Marker[] {
  const contents = vocabulary.added.map(({ content }) => content);
  if (contents.length === 0) return [];
  const known = new Set(contents);
  const places = tokens.flatMap((token, index) => (known.has(token) ? [index] : []));
  const matches = [...text.matchAll(new RegExp(anyOf(contents), 'g'))];
  if (matches.length !== places.length) return [];
  return matches.map(({ index, 0: content }, order) => ({
    start: index,
    end: index + content.length,
    token: places[order]!,
  }));
}

function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
