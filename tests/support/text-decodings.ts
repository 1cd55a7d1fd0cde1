// Texts of tokens for generators whose tokens have none. No token ends an answer.
import type { TextDecoding } from '../../lib/engine/generate/request.js';

/** Every token is a word like ` 17`. */
export const numbers: TextDecoding = {
  endIds: [],
  createStreamDecoder: () => ({ push: id => ` ${id}`, flush: () => '' }),
  vocabSize: 0,
  isSpecial: () => false,
  bytesOf: id => new TextEncoder().encode(` ${id}`),
};

/** Tokens are only counted. */
export const dots: TextDecoding = {
  ...numbers,
  createStreamDecoder: () => ({ push: () => '.', flush: () => '' }),
  bytesOf: () => Uint8Array.of(0x2e),
};
