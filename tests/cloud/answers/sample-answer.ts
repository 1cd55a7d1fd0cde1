// What the formats of answers are made from.
import type { Head } from '../../../lib/cloud/answers/answer.js';
import type { ChoicePiece } from '../../../lib/cloud/answers/pieces.js';
import type { Piece } from '../../../lib/engine/index.js';

export const head: Head = {
  id: 'chatcmpl-1',
  created: 1_700_000_000,
  model: 'm',
  system_fingerprint: 'fp_1',
};

/** The pieces of a single answer, or each with the index of its choice. */
export async function* pieces(
  ...list: (Piece | [index: number, piece: Piece])[]
): AsyncGenerator<ChoicePiece> {
  for (const given of list) {
    const [index, piece] = Array.isArray(given) ? given : [0, given];
    yield { index, piece };
  }
}
