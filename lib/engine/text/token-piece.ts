// The bytes or the text of a single token.
import { toBytes } from './byte-alphabet.js';
import type { DecodingRules } from './decoding-rules.js';
import type { Vocabulary } from './vocabulary.js';

/** Bytes may be part of a character. A string is complete, and ends any incomplete character before it. */
export function toPiece(token: string, isAdded: boolean, rules: DecodingRules): Uint8Array | string {
  if (rules.byteLevel) return isAdded ? token : toBytes(token);
  const byte = rules.byteFallback ? /^<0x([0-9A-Fa-f]{2})>$/.exec(token)?.[1] : undefined;
  if (byte !== undefined) return Uint8Array.of(Number.parseInt(byte, 16));
  return rules.replacements.reduce((text, [from, to]) => text.replaceAll(from, to), token);
}

/** The bytes of a token, possibly only part of a character. Empty for an ID without a token. */
export function bytesOfToken(id: number, vocabulary: Vocabulary, rules: DecodingRules): Uint8Array {
  const token = vocabulary.tokenOf(id);
  const piece = token === undefined ? '' : toPiece(token, vocabulary.isAdded(id), rules);
  return typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
}
