// Finds the token that starts at a character of a text, since the tokenizer returns no offsets: the tokens of a prefix
// have the same total length as the tokens of the whole text up to there, even if a merge crosses the cut.
import type { Tokenizer, Tokens } from './tokenizer.js';
import { anyOfPattern } from './vocabulary.js';

/** Returns the index of the first token that starts at an offset of the text or later. */
type TokenLocator = (offset: number) => number;

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
    // Only the text between the last marker and the offset has to be tokenized again.
    const last = markers.findLast(({ end }) => end <= offset);
    const piece = tokenizer.tokenize(text.slice(last?.start ?? 0, offset)).tokens;
    const position = starts[last?.token ?? 0]! + piece.reduce((sum, token) => sum + token.length, 0);
    return Math.min(lowerBound(starts, position), next?.token ?? tokens.length);
  };
}

/** The added tokens in the text, which never merge with others. */
function findMarkers({ vocabulary }: Tokenizer, text: string, tokens: readonly string[]): Marker[] {
  const contents = vocabulary.added.map(({ content }) => content);
  if (contents.length === 0) return [];
  const known = new Set(contents);
  const places = tokens.flatMap((token, index) => (known.has(token) ? [index] : []));
  const matches = [...text.matchAll(new RegExp(anyOfPattern(contents), 'g'))];
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
