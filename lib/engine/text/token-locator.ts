// Finds the token that starts at a character of a text, since the tokenizer returns no offsets: the tokens of a prefix
// have the same total length as the tokens of the whole text up to there, even if a merge crosses the cut.
import { lowerBound } from './lower-bound.js';
import type { Tokenizer, Tokens } from './tokenizer.js';

/** Returns the index of the first token that starts at an offset of the text or later; with `orAround`, or only ends later. */
type TokenLocator = (offset: number, orAround?: boolean) => number;

interface Marker {
  readonly start: number;
  readonly end: number;
  readonly token: number;
}

/** A place in the text, and in its tokens put together. */
interface Anchor {
  readonly offset: number;
  readonly position: number;
  /** Where measuring starts, before the place, since a tokenizer may add a space at the start of a text. */
  readonly from: number;
  /** What the text from there to the place measures. */
  readonly length: number;
}

/** In characters. */
const LEAST_STEP = 256;

/** Offsets in ascending order take time in proportion to the text. */
export function createTokenLocator(tokenizer: Tokenizer, text: string, { tokens }: Tokens): TokenLocator {
  const starts = [0];
  for (const token of tokens) starts.push(starts.at(-1)! + token.length);
  const markers = findMarkers(tokenizer, text, tokens);
  const markerStarts = markers.map(({ start }) => start);
  const markerEnds = markers.map(({ end }) => end);
  const measure = (from: number, to: number) => lengthOf(tokenizer.tokenize(text.slice(from, to)).tokens);
  let anchor: Anchor = { offset: 0, position: 0, from: 0, length: 0 };

  return (offset, orAround = false) => {
    const next = markers[lowerBound(markerStarts, offset)];
    if (next?.start === offset) return next.token;
    // Only the text from the last marker or anchor to the offset has to be tokenized again.
    const last = markers[lowerBound(markerEnds, offset + 1) - 1];
    const isBehind = anchor.offset > offset;
    if (isBehind || (last && last.start > anchor.offset)) {
      const start = last?.start ?? 0;
      anchor = { offset: start, position: starts[last?.token ?? 0]!, from: start, length: 0 };
    }
    const position = anchor.position + measure(anchor.from, offset) - anchor.length;
    if (offset - anchor.offset >= LEAST_STEP)
      anchor = { offset, position, from: anchor.offset, length: measure(anchor.offset, offset) };
    const first = lowerBound(starts, position);
    const isAround = orAround && starts[first] !== position;
    return Math.min(isAround ? first - 1 : first, next?.token ?? tokens.length);
  };
}

const lengthOf = (tokens: readonly string[]) => tokens.reduce((sum, token) => sum + token.length, 0);

function findMarkers(
  { markers: { pattern, has } }: Tokenizer,
  text: string,
  tokens: readonly string[],
): Marker[] {
  if (!pattern) return [];
  const places = tokens.flatMap((token, index) => (has(token) ? [index] : []));
  const matches = [...text.matchAll(pattern)];
  if (matches.length !== places.length) return [];
  return matches.map(({ index, 0: content }, order) => ({
    start: index,
    end: index + content.length,
    token: places[order]!,
  }));
}
