// Decodes token IDs to text as they arrive. Bytes of an incomplete character are held back; everything else is emitted
// immediately. Whole texts use the same decoder, so both always agree.
import type { DecodingRules } from './decoding-rules.js';
import { toPiece } from './token-piece.js';
import type { Vocabulary } from './vocabulary.js';

export interface DecodeOptions {
  /** Leaves out tokens like `<|im_end|>`. Defaults to false. */
  readonly skipSpecialTokens?: boolean;
}

export interface StreamDecoder {
  /** Returns the text that this token completes; often empty. */
  push(id: number): string;
  /** Returns the rest: replacement characters for bytes that never became a character. */
  flush(): string;
}

export function createStreamDecoder(
  vocabulary: Vocabulary,
  rules: DecodingRules,
  { skipSpecialTokens = false }: DecodeOptions = {},
): StreamDecoder {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let toStrip = rules.stripStart.count;

  function strip(text: string): string {
    let rest = text;
    for (; toStrip > 0 && rest.startsWith(rules.stripStart.content); toStrip--)
      rest = rest.slice(rules.stripStart.content.length);
    if (rest) toStrip = 0;
    return rest;
  }

  return {
    push(id) {
      const token = vocabulary.tokenOf(id);
      if (token === undefined || (skipSpecialTokens && vocabulary.isSpecial(id))) return '';
      const piece = toPiece(token, vocabulary.isAdded(id), rules);
      return strip(typeof piece === 'string' ? utf8.decode() + piece : utf8.decode(piece, { stream: true }));
    },
    flush: () => strip(utf8.decode()),
  };
}
