// Turns token ids into text as they come. Bytes of a character that is not complete are held back; everything else
// is given out at once. Whole texts are decoded by the same steps, so both always agree.
import type { DecodingRules } from './decoding-rules.js';
import { toPiece } from './token-piece.js';
import type { Vocabulary } from './vocabulary.js';

export interface DecodeOptions {
  /** Leaves out tokens like `<|im_end|>`; false unless given. */
  readonly skipSpecialTokens?: boolean;
}

export interface StreamDecoder {
  /** The text that became certain by this token; often empty. */
  push(id: number): string;
  /** What is left at the end: replacement characters for bytes that never became a character. */
  flush(): string;
}

export function createStreamDecoder(
  vocabulary: Vocabulary,
  rules: DecodingRules,
  { skipSpecialTokens = false }: DecodeOptions = {},
): StreamDecoder {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let toCut = rules.cut.count;

  function cutStart(text: string): string {
    let rest = text;
    for (; toCut > 0 && rest.startsWith(rules.cut.content); toCut--)
      rest = rest.slice(rules.cut.content.length);
    if (rest) toCut = 0;
    return rest;
  }

  return {
    push(id) {
      const token = vocabulary.tokenOf(id);
      if (token === undefined || (skipSpecialTokens && vocabulary.isSpecial(id))) return '';
      const piece = toPiece(token, vocabulary.isAdded(id), rules);
      return cutStart(
        typeof piece === 'string' ? utf8.decode() + piece : utf8.decode(piece, { stream: true }),
      );
    },
    flush: () => cutStart(utf8.decode()),
  };
}
